// SPDX-License-Identifier: Apache-2.0
#include "core/checks/priority_hints.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include "core/checks/effective_intent.hpp"
#include "core/model/driver.hpp"

namespace core {
namespace {

constexpr std::string_view kByPfc = "PFC";
constexpr std::string_view kByMap = "the DSCP map";
constexpr std::string_view kByShares = "ETS";
constexpr std::string_view kByPeer = "the other end's PFC";

/// The only priority of the mask.
std::optional<std::uint8_t> alone(unsigned mask) {
    if (!std::has_single_bit(mask)) return std::nullopt;
    return static_cast<std::uint8_t>(std::countr_zero(mask));
}

/// Of an entry that somebody made: what no entry names the hardware places as it likes.
std::optional<std::uint8_t> mapped(const Port& port, unsigned dscp) {
    if (!port.app || trusts_dscp(port) == false) return std::nullopt;
    for (const AppEntry& entry : port.app->entries)
        if (entry.selector == AppEntry::dscp && entry.protocol == dscp) return entry.priority;
    return std::nullopt;
}

/// Whether somebody made the entry: a device that lists every code point lists them by eights.
bool is_own(const Port& port, const AppEntry& entry) {
    if (driver_of(port).app.unlisted != Driver::App::Unlisted::held) return true;
    constexpr unsigned eight = 8;
    return std::ranges::any_of(port.app->entries, [&](const AppEntry& other) {
        return other.selector == AppEntry::dscp &&
               other.protocol / eight == entry.protocol / eight &&
               other.priority != entry.protocol / eight;
    });
}

/// The priority beside 0 that alone has a class with a share of the bandwidth to itself.
std::optional<std::uint8_t> given_share(const Port& port) {
    if (!port.ets) return std::nullopt;
    const Ets& ets = *port.ets;
    unsigned given = 0;
    for (unsigned i = 1; i < kPriorities; ++i) {
        const std::uint8_t own = ets.traffic_class.at(i);
        const bool apart = own < kPriorities && std::ranges::count(ets.traffic_class, own) == 1;
        if (apart && ets.algorithm.at(own) == Ets::shared && ets.bandwidth.at(own) != 0)
            given |= 1U << i;
    }
    return alone(given);
}

/// How much says each priority.
class Ballot {
public:
    explicit Ballot(std::span<const Port* const> ports) {
        for (const Port* port : ports)
            add(*port);
    }

    std::optional<InferredPriority> winner() {
        std::erase_if(votes_, [](const auto& each) { return !each.second.candidate; });
        if (votes_.empty()) return std::nullopt;
        const auto best = std::ranges::max_element(votes_, {}, [&](const auto& each) {
            return std::tuple(each.second.whole, each.second.all, is_usual(each.first),
                              each.second.pfc);
        });
        const Vote& most = best->second;
        InferredPriority out{.priority = best->first, .by_ports = most.whole != 0, .clearly = true};
        for (const auto& [priority, vote] : votes_) {
            if (priority == best->first) continue;
            if (vote.whole >= most.whole) out.by_ports = false;
            if (vote.all >= most.all) out.clearly = false;
        }
        return out;
    }

private:
    struct Vote {
        unsigned whole = 0;  ///< ports on which PFC and the map agree
        unsigned all = 0;
        unsigned pfc = 0;
        bool candidate = false;  ///< PFC or a map says it, which what is beside can only confirm
    };

    void add(const Port& port) {
        const std::optional<unsigned> dscp = telling_dscp(port);
        std::map<std::uint8_t, unsigned> both;
        for (const PriorityHint& one : priority_hints(port, dscp)) {
            Vote& vote = votes_[one.priority];
            ++vote.all;
            if (one.name == kByPfc) ++vote.pfc;
            if (one.name != kByPfc && one.name != kByMap) continue;
            vote.candidate = true;
            if (++both[one.priority] == 2) ++vote.whole;
        }
        if (dscp == unsigned{EffectiveIntent{}.dscp}) usual_ = true;
    }

    [[nodiscard]] bool is_usual(std::uint8_t priority) const {
        return usual_ && priority == EffectiveIntent{}.priority;
    }

    std::map<std::uint8_t, Vote> votes_{};
    bool usual_ = false;  ///< the DSCP is that of the preset, and so its priority the likely one
};

}  // namespace

std::vector<PriorityHint> priority_hints(const Port& port, std::optional<unsigned> dscp) {
    std::vector<PriorityHint> out;
    const auto add = [&](std::string_view name, std::optional<std::uint8_t> priority) {
        if (priority && *priority < kPriorities)
            out.push_back({.name = name, .priority = *priority});
    };
    add(kByPfc, port.pfc ? alone(port.pfc->priorities) : std::nullopt);
    add(kByMap, dscp ? mapped(port, *dscp) : std::nullopt);
    add(kByShares, given_share(port));
    add(kByPeer, port.peer && port.peer->pfc ? alone(*port.peer->pfc) : std::nullopt);
    return out;
}

std::optional<unsigned> telling_dscp(const Port& port) {
    if (port.cm_defaults && port.cm_defaults->tos >> 2U != 0)
        return unsigned{port.cm_defaults->tos} >> 2U;
    const auto kept = port.pfc ? alone(port.pfc->priorities) : std::nullopt;
    const auto kept_entry = [&](bool own) -> std::optional<unsigned> {
        if (port.app && kept)
            for (const AppEntry& entry : port.app->entries)
                if (entry.selector == AppEntry::dscp && entry.priority == *kept &&
                    is_own(port, entry) == own)
                    return entry.protocol;
        return std::nullopt;
    };
    if (const auto own = kept_entry(true)) return own;
    const unsigned usual = EffectiveIntent{}.dscp;
    if (port.app)
        for (const AppEntry& entry : port.app->entries)
            if (entry.selector == AppEntry::dscp && entry.protocol == usual && is_own(port, entry))
                return usual;
    return kept_entry(false);
}

std::optional<InferredPriority> inferred_priority(std::span<const Port* const> ports) {
    return Ballot(ports).winner();
}

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#include "core/checks/effective_intent.hpp"

#include <algorithm>
#include <bit>
#include <map>

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

/// Whether the entry gives the DSCP a priority. The kernel holds entries for priorities that there
/// are not, and leaves them out of what it tells drivers (net/dcb/dcbnl.c
/// dcb_ieee_getapp_prio_dscp_mask_map).
bool gives_priority(const AppEntry& entry, unsigned dscp) {
    return entry.selector == AppEntry::dscp && entry.protocol == dscp &&
           entry.priority < kPriorities;
}

/// Of an entry that somebody made: what no entry names the hardware places as it likes.
std::optional<std::uint8_t> mapped(const Port& port, unsigned dscp) {
    if (!port.app || trusts_dscp(port) == false) return std::nullopt;
    for (const AppEntry& entry : port.app->entries)
        if (gives_priority(entry, dscp)) return entry.priority;
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

/// The DSCP to look up in the map: rdma_cm's, unless unknown or 0; else a DSCP mapped to the
/// priority with PFC; else 26 (the preset) if somebody mapped it.
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

/// The priority that the ports' hints suggest.
struct InferredPriority {
    std::uint8_t priority = 0;
    bool by_ports = false;  ///< PFC and the map agree on it on more ports than on any other
    bool clearly = false;   ///< it has more hints than any other
};

/// How much says each priority.
class Ballot {
public:
    explicit Ballot(std::span<const Port* const> ports) {
        for (const Port* port : ports)
            add(*port);
    }

    /// Nothing where neither PFC nor the DSCP map of any port gives a hint.
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

/// What most have; the lower one where two are as frequent.
class Majority {
public:
    void add(unsigned value) { ++votes_[value]; }
    [[nodiscard]] std::optional<std::uint8_t> winner() const {
        const auto most =
            std::ranges::max_element(votes_, {}, [](const auto& vote) { return vote.second; });
        if (most == votes_.end()) return std::nullopt;
        return static_cast<std::uint8_t>(most->first);
    }

private:
    std::map<unsigned, unsigned> votes_{};
};

constexpr unsigned kDscps = 64;

/// What rdma_cm sends, else what is mapped to the priority.
std::optional<std::uint8_t> sent_dscp(std::span<const Port* const> ports, unsigned priority) {
    Majority by_tos;
    Majority by_map;
    for (const Port* port : ports) {
        if (port->cm_defaults && port->cm_defaults->tos >> 2U != 0)
            by_tos.add(unsigned{port->cm_defaults->tos} >> 2U);
        if (!port->app) continue;
        for (const AppEntry& entry : port->app->entries)
            if (entry.selector == AppEntry::dscp && entry.priority == priority)
                by_map.add(entry.protocol);
    }
    const auto found = by_tos.winner();
    return found ? found : by_map.winner();
}

const Value* all_desired(std::span<const Desired> desired_values, std::string_view key) {
    for (const Desired& desired : desired_values)
        if (desired.field->key == key && desired.value) return &*desired.value;
    return nullptr;
}

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

EffectiveIntent inferred_intent(std::span<const Port* const> ports) {
    EffectiveIntent roce;
    if (const auto found = Ballot(ports).winner()) {
        roce.priority = found->priority;
        roce.by = found->by_ports  ? IntentSource::ports
                  : found->clearly ? IntentSource::settings
                                   : IntentSource::guess;
    }
    if (const auto dscp = sent_dscp(ports, roce.priority)) roce.dscp = *dscp;
    return roce;
}

Objects intent_objects() {
    Objects out;
    for (const ObjectRow* row : objects())
        if (row->read.intents) out.insert(row->object);
    return out;
}

EffectiveIntent effective_intent(const EffectiveIntent& usual,
                                 std::span<const Desired> desired_values) {
    EffectiveIntent roce = usual;
    if (const Value* pfc = all_desired(desired_values, "pfc.priorities")) {
        const auto& priorities = std::get<Numbers>(*pfc);
        roce.lossless = !priorities.empty();
        roce.by = IntentSource::profile;
        const bool among = std::ranges::find(priorities, roce.priority) != priorities.end();
        if (!priorities.empty() && !among)
            roce.priority = static_cast<std::uint8_t>(priorities.front());
    }
    if (const Value* cnp = all_desired(desired_values, "ecn.cnp_priority"))
        roce.cnp_priority = static_cast<std::uint8_t>(std::get<std::uint64_t>(*cnp));
    if (const Value* tos = all_desired(desired_values, "rdma.default_tos")) {
        const std::uint64_t byte = std::get<std::uint64_t>(*tos);
        roce.dscp = static_cast<std::uint8_t>(byte >> 2U);
        roce.ecn = (byte & 3U) != 0;  // RFC 3168, 5: 00 is not ECN-capable
    }
    return roce;
}

std::optional<bool> trusts_dscp(const Port& port) {
    if (!port.app) return std::nullopt;
    const App& app = *port.app;
    if (app.trust) return std::ranges::find(*app.trust, AppEntry::dscp) != app.trust->end();
    if (driver_of(port).app.trust != Driver::App::Trust::by_map) return std::nullopt;
    return std::ranges::any_of(
        app.entries, [](const AppEntry& entry) { return entry.selector == AppEntry::dscp; });
}

std::optional<unsigned> priority_of_dscp(const Port& port, unsigned dscp) {
    if (!port.app || dscp >= kDscps) return std::nullopt;
    for (const AppEntry& entry : port.app->entries)
        if (gives_priority(entry, dscp)) return entry.priority;
    return unlisted_priority(driver_of(port), port, dscp);
}

unsigned possible_priorities(const Driver& driver, const Port& port, unsigned dscp) {
    if (!port.app || dscp >= kDscps) return 0;
    for (const AppEntry& entry : port.app->entries)
        if (gives_priority(entry, dscp)) return 1U << entry.priority;
    if (const auto known = unlisted_priority(driver, port, dscp)) return 1U << *known;
    const Driver::App& app = driver.app;
    if (app.unlisted != Driver::App::Unlisted::by_eights_unless_removed) return 0;
    constexpr std::uint8_t four = 4;
    constexpr unsigned eight = 8;
    const bool of_four = !app.unlisted_of_four.empty() && port.ets && port.ets->capability == four;
    const unsigned first =
        of_four ? app.unlisted_of_four[dscp % app.unlisted_of_four.size()] : dscp / eight;
    return 1U << first | 1U << dscp % eight;
}

}  // namespace core

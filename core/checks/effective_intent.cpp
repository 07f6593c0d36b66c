// SPDX-License-Identifier: Apache-2.0
#include "core/checks/effective_intent.hpp"

#include <algorithm>
#include <map>

#include "core/checks/priority_hints.hpp"
#include "core/model/driver.hpp"

namespace core {
namespace {

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

EffectiveIntent inferred_intent(std::span<const Port* const> ports) {
    EffectiveIntent roce;
    if (const auto found = inferred_priority(ports)) {
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
        if (entry.selector == AppEntry::dscp && entry.protocol == dscp) return entry.priority;
    switch (driver_of(port).app.unlisted) {
        case Driver::App::Unlisted::zero: return 0;
        case Driver::App::Unlisted::by_eights: return dscp / 8;
        case Driver::App::Unlisted::held: return std::nullopt;
    }
    return std::nullopt;
}

}  // namespace core

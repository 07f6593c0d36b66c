// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/checks/checks.hpp"

namespace core {
namespace {

constexpr std::array<Keys, 2> kCnpMapped = {"ecn.cnp_dscp", "dscp.map"};
constexpr std::array<Keys, 2> kCnpLossless = {"ecn.cnp_priority", "pfc.priorities"};

std::optional<std::uint32_t> number_of(const Port& port, Ecn::Number number) {
    if (!port.ecn || !port.ecn->numbers.at(number)) return {};
    return port.ecn->numbers.at(number)->value;
}

/// A port may list every code point, so that being listed says little.
Faults unlike_meant(const Evidence& evidence, const AppEntry& entry) {
    const Intent* intent = evidence.intent;
    if (intent == nullptr || !intent->cnp || intent->cnp->priority.value == entry.priority)
        return {};
    return fault("CNP DSCP " + std::to_string(entry.protocol) +
                 " is programmed and gets priority " + std::to_string(entry.priority) +
                 ", while that of notifications is " + std::to_string(intent->cnp->priority.value));
}

Faults cnp_not_mapped(const Evidence& evidence) {
    const Port& port = *evidence.now;
    const auto dscp = number_of(port, Ecn::cnp_dscp);
    std::string mapped;
    bool apart = false;
    for (const AppEntry& entry : port.app->entries) {
        if (entry.selector != AppEntry::dscp) continue;
        if (entry.protocol == dscp) return unlike_meant(evidence, entry);
        // Code points of a lossless priority are RoCE's own: they tell no CNPs apart.
        apart = apart || !port.pfc || !is_lossless(port, entry.priority);
        mapped += (mapped.empty() ? "" : ", ") + std::to_string(entry.protocol);
    }
    if (!dscp || !apart) return {};
    return fault("CNP DSCP " + std::to_string(*dscp) + " is programmed while " + mapped +
                 (mapped.find(',') == std::string::npos ? " is mapped" : " are mapped"));
}

Faults cnp_priority_lossless(const Evidence& evidence) {
    const Port& port = *evidence.now;
    const auto priority = number_of(port, Ecn::cnp_priority);
    if (!priority || !is_lossless(port, *priority)) return {};
    return fault("CNPs are sent in priority " + std::to_string(*priority) +
                 ", which is lossless: they would wait behind the traffic they are to slow down");
}

constexpr std::array kRowsCongestion = {
    FindingRow{.id = "cnp-dscp-not-mapped",
               .why = "Congestion notifications are told apart by their DSCP, on the switches as "
                      "on the host.",
               .remedy = "ecn.cnp_dscp of the DSCP that dscp.map maps for CNPs",
               .manual = "rocectl-profile(5), SETTINGS",
               .needs = {.keys = kCnpMapped, .stated = true},
               .run = cnp_not_mapped},
    FindingRow{.id = "cnp-priority-lossless",
               .why = "A notification that is paused with the traffic it is about comes too late.",
               .remedy = "ecn.cnp_priority outside pfc.priorities",
               .manual = "rocectl-profile(5), SETTINGS",
               .needs = {.keys = kCnpLossless, .stated = true},
               .run = cnp_priority_lossless},
};
constexpr auto kAllCongestion = each_of(kRowsCongestion);

}  // namespace

const FindingGroup finding_group::congestion{
    .name = "congestion",
    .doc = "Whether congestion notifications (CNPs) arrive in time.",
    .rows = kAllCongestion};

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/checks/checked.hpp"
#include "core/checks/groups.hpp"
#include "core/checks/rows.hpp"

namespace core {
namespace {

constexpr std::array<Keys, 2> kCnpMapped = {"ecn.cnp_dscp", "dscp.map"};
constexpr std::array<Keys, 2> kCnpLossless = {"ecn.cnp_priority", "pfc.priorities"};

std::optional<std::uint32_t> number_of(const Port& port, Ecn::Number number) {
    if (!port.ecn || !port.ecn->numbers.at(number)) return std::nullopt;
    return port.ecn->numbers.at(number)->value;
}

Reason cnp_not_mapped(const Driver& /*driver*/, const Port& port) {
    const auto dscp = number_of(port, Ecn::cnp_dscp);
    std::string mapped;
    for (const AppEntry& entry : port.app->entries) {
        if (entry.selector != AppEntry::dscp) continue;
        if (entry.protocol == dscp) return std::nullopt;
        mapped += (mapped.empty() ? "" : ", ") + std::to_string(entry.protocol);
    }
    if (!dscp || mapped.empty()) return std::nullopt;
    return "CNP DSCP " + std::to_string(*dscp) + " is programmed while " + mapped +
           (mapped.find(',') == std::string::npos ? " is mapped" : " are mapped");
}

Reason cnp_priority_lossless(const Driver& /*driver*/, const Port& port) {
    const auto priority = number_of(port, Ecn::cnp_priority);
    if (!priority || !is_lossless(port, *priority)) return std::nullopt;
    return "CNPs are sent in priority " + std::to_string(*priority) +
           ", which is lossless: they would wait behind the traffic they are to slow down";
}

constexpr std::array kRowsCongestion = {
    FindingRow{.id = "cnp-dscp-not-mapped",
               .why = "Congestion notifications are told apart by their DSCP, on the switches as "
                      "on the host.",
               .remedy = "ecn.cnp_dscp of the DSCP that dscp.map maps for CNPs",
               .manual = "rocectl-profile(5), SETTINGS",
               .needs = kCnpMapped,
               .fails = cnp_not_mapped},
    FindingRow{.id = "cnp-priority-lossless",
               .why = "A notification that is paused with the traffic it is about comes too late.",
               .remedy = "ecn.cnp_priority outside pfc.priorities",
               .manual = "rocectl-profile(5), SETTINGS",
               .needs = kCnpLossless,
               .fails = cnp_priority_lossless},
};

}  // namespace

const FindingRow findings::cnp_lossless{
    .id = "cnp-lossless",
    .why = "A notification in a lossless priority waits behind the traffic it is to slow down.",
    .remedy = "another priority for roce.cnp, or pfc.priorities without it",
    .manual = "rocectl-profile(5), INTENT"};
const FindingRow findings::cnp_not_mapped{
    .id = "cnp-not-mapped",
    .why =
        "The intent has notifications in a priority of their "
        "own, and only their code point leads them there.",
    .remedy = "roce.cnp null, or dscp.map with their code point",
    .manual = "rocectl-profile(5), INTENT"};

namespace {

constexpr std::array kAllCongestion = {&kRowsCongestion[0], &kRowsCongestion[1],
                                       &findings::cnp_lossless, &findings::cnp_not_mapped};

}  // namespace
const FindingGroup finding_group::congestion{
    .name = "congestion",
    .doc = "Whether congestion notifications (CNPs) arrive in time.",
    .rows = kAllCongestion};

}  // namespace core

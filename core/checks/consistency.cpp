// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include "core/checks/checks.hpp"

// Where desired values contradict the intent, or each other in what no one port can be asked.

namespace core {
namespace {

constexpr std::array<Keys, 2> kCnpPriority = {"pfc.priorities", "dscp.map"};
constexpr std::array<Keys, 1> kCnpDscp = {"dscp.map"};
constexpr std::array<Keys, 1> kEct = {"rdma.default_tos"};

/// The priorities that the desired value makes lossless.
Numbers lossless_of(const Desired* pfc) {
    const auto* numbers =
        pfc == nullptr || !pfc->value ? nullptr : std::get_if<Numbers>(&*pfc->value);
    return numbers == nullptr ? Numbers{} : *numbers;
}

bool is_in(const Numbers& numbers, std::uint64_t number) {
    return std::ranges::find(numbers, number) != numbers.end();
}

/// The desired value for the code point of the CNPs.
const Desired* cnp_mapping(const Evidence& evidence) {
    return find_desired(evidence, "dscp.map", std::to_string(evidence.intent->cnp->dscp.value));
}

Faults lossless_notifications(const Evidence& evidence) {
    Faults out;
    if (!evidence.intent->cnp) return out;
    const Desired* pfc = find_desired(evidence, "pfc.priorities");
    const Numbers lossless = lossless_of(pfc);
    const std::uint64_t own = evidence.intent->cnp->priority.value;
    if (is_in(lossless, own))
        out.push_back({.text = "priority " + std::to_string(own) +
                               " of congestion notifications is made lossless: they would wait "
                               "behind the traffic they are to slow down",
                       .remedy = "pfc.priorities without it",
                       .at = pfc});
    const Desired* mapped = cnp_mapping(evidence);
    if (mapped == nullptr || !mapped->value) return out;
    const auto* priority = std::get_if<std::uint64_t>(&*mapped->value);
    if (priority != nullptr && *priority != own && is_in(lossless, *priority))
        out.push_back({.text = "DSCP " + mapped->element +
                               " of congestion notifications is mapped to lossless "
                               "priority " +
                               std::to_string(*priority),
                       .remedy = "another priority for it",
                       .at = mapped});
    return out;
}

Faults unmapped_notifications(const Evidence& evidence) {
    if (!evidence.intent->cnp) return {};
    const Desired* mapped = cnp_mapping(evidence);
    if (mapped == nullptr) return {};
    if (mapped->value && std::holds_alternative<std::uint64_t>(*mapped->value)) return {};
    return {{.text = "DSCP " + mapped->element + " of congestion notifications is not to be mapped",
             .remedy = "roce.cnp null, or no null here",
             .at = mapped}};
}

/// Where the ECN bits of the ToS are those of the packets, they have to say ECT.
Faults without_ect(const Evidence& evidence) {
    const Intent& intent = *evidence.intent;
    const Desired* desired = find_desired(evidence, "rdma.default_tos");
    if (desired == nullptr || !desired->value || intent.ecn.value == 0 ||
        !evidence.driver->cm_defaults.tos_carries_ecn)
        return {};
    const std::uint64_t tos = std::get<std::uint64_t>(*desired->value);
    if ((tos & 3U) != 0 || tos >> 2U != intent.dscp.value) return {};
    return {{.text = "ToS " + std::to_string(tos) + " is DSCP " + std::to_string(tos >> 2U) +
                     " without ECT, and is sent as it stands (" +
                     std::string(title_of(*evidence.driver)) +
                     "): switches drop where they could mark, and "
                     "roce.ecn is true",
             .remedy = "rdma.default_tos " + std::to_string(tos | 2U) + ", or roce.ecn false",
             .at = desired}};
}

/// What nobody marked has 0 of both, and so is in the lossless priority with RoCE.
Faults default_for_roce(const Evidence& evidence) {
    const Intent& intent = *evidence.intent;
    Faults out;
    const auto note = [&](const Intent::Part& part, const char* what, const Desired* at) {
        if (part.value != 0 || at == nullptr) return;
        out.push_back({.text = part.origin.derived_from + " is 0, which is also the " + what +
                               " of all traffic that nobody marked",
                       .at = at});
    };
    note(intent.priority, "priority", find_desired(evidence, "pfc.priorities"));
    if (!trusts_tag(intent)) note(intent.dscp, "DSCP", find_desired(evidence, "dscp.map", "0"));
    return out;
}

constexpr std::array kRowsConsistency = {
    FindingRow{
        .id = "cnp-lossless",
        .why = "A notification in a lossless priority waits behind the traffic it is to slow down.",
        .remedy = "another priority for roce.cnp, or pfc.priorities without it",
        .manual = "rocectl-profile(5), INTENT",
        .needs = {.desired = kCnpPriority, .intent = true},
        .run = lossless_notifications},
    FindingRow{.id = "cnp-not-mapped",
               .why = "The intent has notifications in a priority of their own, and only their "
                      "code point leads them there.",
               .remedy = "roce.cnp null, or dscp.map with their code point",
               .manual = "rocectl-profile(5), INTENT",
               .needs = {.desired = kCnpDscp, .intent = true},
               .run = unmapped_notifications},
    FindingRow{.id = "tos-not-ect",
               .why = "A switch marks only packets that say by their ECN bits that they understand "
                      "it (RFC 3168); others it drops.",
               .remedy = "rdma.default_tos with ECN bits 10, or roce.ecn false",
               .manual = "rocectl-profile(5), INTENT",
               .needs = {.desired = kEct, .intent = true},
               .run = without_ect},
    FindingRow{.id = "roce-unmarked",
               .level = FindingLevel::note,
               .why = "Traffic that nobody marked has priority 0 and DSCP 0. With RoCE in either, "
                      "it is lossless too, and pauses what it meets.",
               .remedy = "another priority or DSCP in roce, 3 and 26 where nothing speaks against",
               .manual = "rocectl-profile(5), INTENT",
               .needs = {.desired = kCnpPriority, .intent = true},
               .run = default_for_roce},
};
constexpr auto kAllConsistency = each_of(kRowsConsistency);

}  // namespace

const FindingGroup finding_group::consistency{
    .name = "consistency",
    .doc = "Whether desired values agree with the intent and with each other.",
    .rows = kAllConsistency};

}  // namespace core

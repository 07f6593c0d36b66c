// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <iterator>

#include "core/checks/checks.hpp"
#include "core/objects/host/variable.hpp"

namespace core {
namespace {

constexpr std::array<Keys, 3> kTrust = {"dscp.trust", "dscp.map", "pfc.priorities"};
constexpr std::array<Keys, 3> kTosMapped = {"rdma.default_tos", "dscp.map", "pfc.priorities"};
constexpr std::array<Keys, 3> kForced = {"rdma.traffic_class", "dscp.map", "pfc.priorities"};
constexpr std::array<Keys, 3> kNccl = {"host.nccl", "dscp.map", "pfc.priorities"};
constexpr std::array<Keys, 3> kUcx = {"host.ucx", "dscp.map", "pfc.priorities"};
constexpr std::array<Keys, 2> kUdp = {"app.udp", "pfc.priorities"};
constexpr std::array<Keys, 1> kTos = {"rdma.default_tos"};

Faults map_not_trusted(const Evidence& evidence) {
    const Port& port = *evidence.now;
    const auto& trust = port.app->trust;
    if (!trust || std::ranges::find(*trust, AppEntry::dscp) != trust->end()) return {};
    for (const AppEntry& entry : port.app->entries)
        if (entry.selector == AppEntry::dscp && is_lossless(port, entry.priority))
            return fault("DSCP " + std::to_string(entry.protocol) +
                         " is mapped to lossless priority " + std::to_string(entry.priority) +
                         ", but the port does not trust DSCP");
    return {};
}

/// Nothing is known to look at DSCP: no code point has an entry or is desired, and DSCP is not
/// known to be trusted.
bool goes_by_tag(const Evidence& evidence) {
    const App& app = *evidence.now->app;
    const bool trusts =
        app.trust && std::ranges::find(*app.trust, AppEntry::dscp) != app.trust->end();
    const bool listed = std::ranges::any_of(
        app.entries, [](const AppEntry& entry) { return entry.selector == AppEntry::dscp; });
    const bool all_desired = std::ranges::any_of(
        evidence.desired_values,
        [](const Desired& desired) { return desired.field->key == "dscp.map"; });
    return !trusts && !listed && !all_desired;
}

/// Where a ToS, called so, leads, if not to a lossless priority. A DSCP without an entry may have
/// one by itself.
Faults lossy(const Evidence& evidence, std::uint64_t tos, const std::string& called) {
    const Port& port = *evidence.now;
    if (port.pfc->priorities == 0 || goes_by_tag(evidence)) return {};
    // On a port that is read, VLANs have the tags that it goes by.
    if (evidence.index != nullptr && trusts_dscp(port) == false && has_tags(*evidence.index, port))
        return {};
    const std::uint64_t dscp = tos >> 2U;
    const std::string subject =
        called + ' ' + std::to_string(tos) + " is DSCP " + std::to_string(dscp) + ", which ";
    for (const AppEntry& entry : port.app->entries) {
        if (entry.selector != AppEntry::dscp || entry.protocol != dscp ||
            entry.priority >= kPriorities)
            continue;
        if (is_lossless(port, entry.priority)) return {};
        return fault(subject + "is mapped to priority " + std::to_string(entry.priority) +
                     ", and that is not lossless");
    }
    const auto code_point = static_cast<unsigned>(dscp);
    const unsigned possible = possible_priorities(*evidence.driver, port, code_point);
    const bool known_to_be = possible != 0 && (possible & ~unsigned{port.pfc->priorities}) == 0;
    if (known_to_be || (possible == 0 && is_lossless(port, code_point / 8))) return {};
    if ((possible & port.pfc->priorities) != 0) {
        // Which of the two it is, the driver does not show.
        Faults out = fault(
            subject + "dscp.map has no entry for: whether its priority is lossless cannot be read");
        out.front().remedy = "dscp.map " + std::to_string(dscp) + " for the lossless priority";
        out.front().slight = true;
        return out;
    }
    return fault(subject + "dscp.map does not map to a lossless priority");
}

Faults tos_lossy(const Evidence& evidence) {
    return lossy(evidence, evidence.now->cm_defaults->tos, "ToS");
}

Faults forced_lossy(const Evidence& evidence) {
    const auto& forced = evidence.now->traffic_class->tos;
    return forced ? lossy(evidence, *forced, "traffic class") : Faults{};
}

/// A ToS as the libraries read it; nothing for one that they choose themselves.
std::optional<std::uint64_t> tos_in(const Elements& variables, std::string_view name) {
    const auto found = variables.find(name);
    if (name.empty() || found == variables.end()) return std::nullopt;
    const auto& text = std::get<std::string>(found->second);
    const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] =
        std::from_chars(text.data() + (hexadecimal ? 2 : 0), end, number, hexadecimal ? 16 : 10);
    if (error != std::errc() || rest != end || number > 255) return std::nullopt;
    return number;
}

/// What the variables of the library say that its packets carry.
Faults library_lossy(const Evidence& evidence, const Library& library) {
    const Elements variables = find_field(library.key)->get(*evidence.now).value_or(Elements{});
    const auto tos = tos_in(variables, library.traffic_class);
    Faults out;
    if (tos) out = lossy(evidence, *tos, std::string(library.traffic_class));
    for (Fault& fault : out)
        fault.at = find_desired(evidence, library.key, library.traffic_class);
    const auto control = tos_in(variables, library.control_class);
    const bool listed =
        !control || std::ranges::any_of(evidence.now->app->entries, [&](const AppEntry& entry) {
            return entry.selector == AppEntry::dscp && entry.protocol == *control >> 2U;
        });
    // Small messages may have a priority of their own, which somebody has to give them.
    if (!listed)
        std::ranges::move(lossy(evidence, *control, std::string(library.control_class)),
                          std::back_inserter(out));
    return out;
}

Faults nccl_lossy(const Evidence& evidence) {
    return library_lossy(evidence, libraries().front());
}

Faults ucx_lossy(const Evidence& evidence) {
    return library_lossy(evidence, libraries().back());
}

/// bnxt_re takes the priority of RoCE from this entry (bnxt_re/main.c bnxt_re_get_priority_mask).
Faults udp_lossy(const Evidence& evidence) {
    const Port& port = *evidence.now;
    if (port.pfc->priorities == 0) return {};
    for (const AppEntry& entry : port.app->entries)
        if (is_roce(entry) && !is_lossless(port, entry.priority))
            return fault("UDP port 4791, which is RoCE, is mapped to priority " +
                         std::to_string(entry.priority) + ", and that is not lossless");
    return {};
}

Faults tos_congested(const Evidence& evidence) {
    const Port& port = *evidence.now;
    if ((port.cm_defaults->tos & 3U) != 3) return {};
    return fault("ToS " + std::to_string(port.cm_defaults->tos) +
                 " marks every packet as having met congestion (ECN bits 11); expected " +
                 std::to_string((port.cm_defaults->tos & ~3U) | 2U) + " for ECT(0)");
}

constexpr std::array kRowsMarking = {
    FindingRow{
        .id = "dscp-not-trusted",
        .why = "The DSCP map has no effect on a port that takes the priority from the VLAN tag.",
        .remedy = "dscp.trust dscp",
        .manual = "rocectl-profile(5), SETTINGS",
        .needs = {.keys = kTrust},
        .run = map_not_trusted},
    FindingRow{
        .id = "forced-class-lossy",
        .why =
            "The vendor's driver gives all connections this traffic class, whatever they ask for: "
            "where it leads to no lossless priority, all of RoCE is lossy.",
        .remedy = "rdma.traffic_class of the RoCE DSCP times 4 plus 2, or none",
        .manual = "rocectl-profile(5), SETTINGS",
        .needs = {.keys = kForced},
        .run = forced_lossy},
    FindingRow{
        .id = "tos-lossy",
        .why =
            "Connections made by rdma_cm carry the default ToS; its DSCP must lead to a lossless "
            "priority.",
        .remedy = "rdma.default_tos of the RoCE DSCP times 4 plus 2",
        .manual = "rocectl-profile(5), SETTINGS",
        .needs = {.keys = kTosMapped},
        .run = tos_lossy},
    FindingRow{
        .id = "nccl-lossy",
        .why = "Queue pairs of NCCL carry its own traffic class, 0 where nothing says another: the "
               "default ToS of rdma_cm does not reach them.",
        .remedy =
            "roce.libraries [\"nccl\"], from which it follows, or NCCL_IB_TC of the RoCE DSCP "
            "times 4 plus 2",
        .manual = "rocectl-profile(5), INTENT",
        .needs = {.keys = kNccl},
        .run = nccl_lossy},
    FindingRow{
        .id = "ucx-lossy",
        .why =
            "Queue pairs of UCX carry its own traffic class, 106 where nothing says another: the "
            "default ToS of rdma_cm does not reach them.",
        .remedy = "roce.libraries [\"ucx\"], from which it follows, or UCX_IB_TRAFFIC_CLASS of the "
                  "RoCE DSCP times 4 plus 2",
        .manual = "rocectl-profile(5), INTENT",
        .needs = {.keys = kUcx},
        .run = ucx_lossy},
    FindingRow{
        .id = "udp-lossy",
        .why = "A NIC that tells RoCE by its UDP port sends it in the priority of that entry.",
        .remedy = "app.udp 4791 in the RoCE priority",
        .manual = "rocectl-profile(5), SETTINGS",
        .needs = {.keys = kUdp},
        .run = udp_lossy},
    FindingRow{
        .id = "tos-congested",
        .why = "ECN bits 11 say that a switch was congested; a sender never sets them (RFC 3168).",
        .remedy = "rdma.default_tos with ECN bits 10",
        .manual = "rocectl-profile(5), SETTINGS",
        .needs = {.keys = kTos},
        .run = tos_congested},
};
constexpr auto kAllMarking = each_of(kRowsMarking);

}  // namespace

const FindingGroup finding_group::marking{
    .name = "marking",
    .doc = "Whether packets carry what leads them to the lossless priority.",
    .rows = kAllMarking};

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#include "core/checks/checks.hpp"
#include "core/model/tos.hpp"
#include "core/objects/rdma/parts.hpp"

// Whether what connects by rdma_cm is of RoCE v2, and marked as RoCE is meant to be.

namespace core {
namespace {

constexpr std::array<Keys, 1> kMode = {"rdma.default_mode"};
constexpr std::array<Keys, 1> kTosAlone = {"rdma.default_tos"};

Faults mode_v1(const Evidence& evidence) {
    const Port& port = *evidence.now;
    if (port.cm_defaults->mode != "IB/RoCE v1" ||
        is_desired(evidence, "rdma.default_mode", std::string("IB/RoCE v1")))
        return {};
    return fault("connections made by rdma_cm are RoCE v1, which no router carries",
                 fixed(port, "rdma.default_mode", std::string("RoCE v2")));
}

Desired tos_desired(const Evidence& evidence) {
    const Desired* desired = find_desired(evidence, "rdma.default_tos");
    const std::uint64_t tos = tos_of(evidence.roce->dscp);
    return fixed(*evidence.now, "rdma.default_tos",
                 desired != nullptr && desired->value ? *desired->value : Value(tos));
}

Faults tos_unset(const Evidence& evidence) {
    const Port& port = *evidence.now;
    if (port.cm_defaults->tos >> 2U != 0 || evidence.roce->dscp == 0) return {};
    return fault("connections made by rdma_cm have DSCP 0, RoCE is meant to have DSCP " +
                     std::to_string(evidence.roce->dscp),
                 tos_desired(evidence));
}

Faults tos_elsewhere(const Evidence& evidence) {
    const unsigned dscp = unsigned{evidence.now->cm_defaults->tos} >> 2U;
    if (dscp == 0 || dscp == evidence.roce->dscp) return {};
    return fault("connections made by rdma_cm have DSCP " + std::to_string(dscp) +
                     ", RoCE is meant to have DSCP " + std::to_string(evidence.roce->dscp),
                 tos_desired(evidence));
}

/// Of the kernel's older drivers of some NICs.
Faults tos_unshifted(const Evidence& evidence) {
    const Port& port = *evidence.now;
    const unsigned tos = port.cm_defaults->tos;
    if (tos == 0 || !cm_defaults::takes_tos_for_dscp(*evidence.driver, evidence.state->host, port))
        return {};
    return fault("the kernel's RDMA driver of " + std::string(evidence.driver->name) + " in " +
                 evidence.state->host.kernel + " takes the whole ToS " + std::to_string(tos) +
                 " for the DSCP: unless that was fixed in it, packets do not leave with DSCP " +
                 std::to_string(tos >> 2U));
}

constexpr std::array<Ids, 5> kOfTosUnset = {"traffic-in-other-priority", "rx-discards",
                                            "out-of-sequence", "ack-timeouts", "retries-exhausted"};

constexpr std::array<Ids, 3> kOfUnshifted = {"traffic-in-other-priority", "rx-discards",
                                             "out-of-sequence"};

constexpr std::array kRowsConnections = {
    FindingRow{.id = "mode-v-one",
               .why =
                   "RoCE v1 has no IP header: it stays within one Ethernet segment, and ends that "
                   "use different versions do not hear each other.",
               .remedy = "rdma.default_mode RoCE v2",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kMode},
               .examines = CheckTarget::port,
               .run = mode_v1},
    FindingRow{
        .id = "tos-unset",
        .why = "What connects by rdma_cm (NVMe-oF, iSER, NFS, Ceph) sends in priority 0, past "
               "all that is set up for RoCE; the passive side answers with its own ToS.",
        .remedy = "rdma.default_tos, at both ends",
        .manual = "rocectl-doctor(8), DESCRIPTION",
        .needs = {.keys = kTosAlone},
        .examines = CheckTarget::port,
        .cause = {.explains = kOfTosUnset,
                  .ruled_out_by = "all that connects by rdma_cm sets its own type of service"},
        .run = tos_unset},
    FindingRow{.id = "tos-unshifted",
               .level = FindingLevel::note,
               .why =
                   "The ToS is the DSCP times 4, and this driver does not divide it: what "
                   "connects by rdma_cm, and what names a traffic class, leaves with a DSCP that "
                   "no switch has in the lossless priority.",
               .remedy = "a kernel whose driver divides it, or the vendor's driver; look at the "
                         "packets on the wire",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kTosAlone},
               .examines = CheckTarget::port,
               .cause = {.explains = kOfUnshifted,
                         .ruled_out_by = "packets at the switch have the DSCP that is meant"},
               .run = tos_unshifted},
    FindingRow{.id = "tos-elsewhere",
               .level = FindingLevel::note,
               .why = "What connects by rdma_cm has another DSCP than the rest of RoCE.",
               .remedy = "rdma.default_tos",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kTosAlone},
               .examines = CheckTarget::port,
               .run = tos_elsewhere},
};

constexpr auto kAllConnections = each_of(kRowsConnections);

}  // namespace

const FindingGroup finding_group::connections{
    .name = "connections",
    .doc = "Whether what connects by rdma_cm is of RoCE v2, and marked as RoCE is meant to be.",
    .rows = kAllConnections};

}  // namespace core

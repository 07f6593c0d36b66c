// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "core/drivers/families.hpp"

namespace core::idpf {
namespace {

/// drivers/net/ethernet/intel/idpf/: idpf_lib.c idpf_change_mtu, idpf_ethtool.c
/// idpf_set_channels and idpf_set_ringparam make a soft reset (idpf_initiate_soft_reset, 7.3).
constexpr std::array kCosts = {Cost{Object::ring, Disruption::queues},
                               Cost{Object::channels, Disruption::queues},
                               Cost{Object::link, Disruption::queues, "mtu"}};

/// drivers/infiniband/hw/irdma/verbs.c irdma_hw_stat_names of GEN3, Linux 6.18 to 7.3.
constexpr std::array kCounters = {
    Counter{Meter::out_of_sequence, Object::rdma_counters, "Rcvd Out of order packets"},
    Counter{Meter::sequence_naks, Object::rdma_counters, "Nak Sequence Error"},
    Counter{Meter::ack_timeouts, Object::rdma_counters, "RTO"},
    Counter{Meter::rnr_received, Object::rdma_counters, "RNR received"},
    Counter{Meter::no_receive, Object::rdma_counters, "RNR sent"},
    Counter{Meter::icrc_errors, Object::rdma_counters, "CRC errors"},
    Counter{Meter::ecn_marked, Object::rdma_counters, "RxECNMrkd"},
    Counter{Meter::cnp_ignored, Object::rdma_counters, "cnpIgnored"},
    Counter{Meter::cnp_sent, Object::rdma_counters, "cnpSent"},
    Counter{Meter::cnp_handled, Object::rdma_counters, "cnpHandled"},
};

}  // namespace

/// drivers/net/ethernet/intel/idpf, and drivers/infiniband/hw/irdma (ig3rdma) since Linux 6.18.
constinit const Driver row = {
    .name = "idpf",
    .doc =
        "Intel's infrastructure function (IPU E2000): it has no DCB and no pause, and its control "
        "plane decides priorities; RDMA needs Linux 6.18.",
    .costs = kCosts,
    .counters = kCounters,
    .no_dcb =
        "the driver idpf has no DCB: the control plane of the device decides PFC and "
        "priorities",
    .pause = {.absent = true},
    // verbs.c irdma_query_port: ib_mtu_int_to_enum(netdev->mtu)
    .rdma_port = {.mtu_overhead = 0},
    .rdma_software = {
        .module = "irdma", .provider = "irdma", .offered_by = "Linux 6.18 and later"}};

}  // namespace core::idpf

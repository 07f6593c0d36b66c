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

/// drivers/infiniband/hw/irdma/verbs.c irdma_hw_stat_descs of GEN3, ctrl.c sc_vsi_update_stats
/// (7.3.4).
constexpr std::array kCounters = {
    Counter{Meter::out_of_sequence, Object::rdma_counters, "Rcvd Out of order packets"},
    Counter{Meter::sequence_naks, Object::rdma_counters, "Nak Sequence Error"},
    Counter{Meter::ack_timeouts, Object::rdma_counters, "RTO"},
    Counter{Meter::rnr_received, Object::rdma_counters, "RNR received"},
    Counter{Meter::no_receive, Object::rdma_counters, "RNR sent"},
    Counter{Meter::roce_packets, Object::rdma_counters, "RxUDP"},
    Counter{Meter::roce_rx_bytes, Object::rdma_counters, "ip4InOctets"},
    Counter{Meter::roce_rx_bytes, Object::rdma_counters, "ip6InOctets"},
    Counter{Meter::roce_tx_bytes, Object::rdma_counters, "ip4OutOctets"},
    Counter{Meter::roce_tx_bytes, Object::rdma_counters, "ip6OutOctets"},
    Counter{Meter::icrc_errors, Object::rdma_counters, "CRC errors"},
    Counter{Meter::ecn_marked, Object::rdma_counters, "RxECNMrkd"},
    Counter{Meter::cnp_ignored, Object::rdma_counters, "cnpIgnored"},
    Counter{Meter::rx_discards, Object::rdma_counters, "ip4InDiscards"},
    Counter{Meter::rx_discards, Object::rdma_counters, "ip6InDiscards"},
    Counter{Meter::cnp_sent, Object::rdma_counters, "cnpSent"},
    Counter{Meter::cnp_handled, Object::rdma_counters, "cnpHandled"},
};

}  // namespace

constinit const Driver row = {
    .name = "idpf",
    .doc =
        "Intel's infrastructure function (IPU E2000): it has no DCB and no pause, and its control "
        "plane decides priorities; RDMA needs Linux 6.18.",
    .devices = "Intel IPU E2000",
    .folder = "drivers/net/ethernet/intel/idpf",
    .read_in = "Linux 7.3.4",
    .costs = kCosts,
    .counters = kCounters,
    .costs_source = "idpf_lib.c idpf_change_mtu, idpf_initiate_soft_reset; idpf_ethtool.c",
    .counters_source = "drivers/infiniband/hw/irdma/verbs.c irdma_hw_stat_descs (7.3.4)",
    .no_dcb =
        "the driver idpf has no DCB: the control plane of the device decides PFC and "
        "priorities",
    .pause = {.absent = true, .source = "idpf_ethtool.c idpf_ethtool_ops"},
    // receive rings take multiples of 64 (IDPF_REQ_RXQ_DESC_MULTIPLE)
    .ring = {.rx_min = 64,
             .tx_min = 128,
             .multiple = 32,
             .source = "idpf_ethtool.c idpf_set_ringparam; idpf_txrx.h"},
    .cm_defaults = {.source = "drivers/infiniband/hw/irdma/verbs.c irdma_modify_qp_roce"},
    // ib_mtu_int_to_enum(netdev->mtu); RDMA_CORE_PORT_IBA_ROCE_UDP_ENCAP alone
    .rdma_port = {.mtu_overhead = 0,
                  .roce_v1 = false,
                  .source = "drivers/infiniband/hw/irdma/verbs.c irdma_query_port, "
                            "irdma_roce_port_immutable"},
    .rdma_software = {.module = "irdma",
                      .provider = "irdma",
                      .offered_by = "Linux 6.18 and later",
                      .device_name = "irdma%d",
                      .source = "drivers/infiniband/hw/irdma/ig3rdma_if.c (6.18)"},
    .ecn = {.elsewhere = "the control plane of the device decides it",
            .source = "drivers/infiniband/hw/irdma/verbs.c"}};

}  // namespace core::idpf

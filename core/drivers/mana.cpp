// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "core/drivers/families.hpp"

namespace core::mana {
namespace {

/// drivers/net/ethernet/microsoft/mana/: mana_en.c mana_change_mtu and mana_ethtool.c
/// mana_set_channels, mana_set_ringparam detach and attach the port (7.3).
constexpr std::array kCosts = {Cost{Object::ring, Disruption::queues},
                               Cost{Object::channels, Disruption::queues},
                               Cost{Object::link, Disruption::queues, "mtu"}};

/// drivers/infiniband/hw/mana/counters.c mana_ib_port_stats_desc (7.3.4; 6.12.117 has none). Of the
/// device and not of the port are sent_cnps and received_ecns (mana_ib_device_stats_desc), which
/// RDMA netlink does not show; hc_tc#_rx_pause_phy and its like (mana_ethtool.c mana_phy_stats) are
/// of Azure's classes.
constexpr std::array kCounters = {
    Counter{Meter::out_of_sequence, Object::rdma_counters, "responder_oos"},
    Counter{Meter::sequence_naks, Object::rdma_counters, "requester_oos_nak"},
    Counter{Meter::ack_timeouts, Object::rdma_counters, "requester_timeout"},
    Counter{Meter::retries_exhausted, Object::rdma_counters, "requester_retries_exceeded"},
    Counter{Meter::rnr_received, Object::rdma_counters, "requester_rnr_nak"},
    Counter{Meter::no_receive, Object::rdma_counters, "responder_rnr_nak"},
    Counter{Meter::remote_access, Object::rdma_counters, "nak_access_error"},
    Counter{Meter::roce_packets, Object::rdma_counters, "rx_packets"},
    Counter{Meter::roce_rx_bytes, Object::rdma_counters, "rx_bytes"},
    Counter{Meter::roce_tx_bytes, Object::rdma_counters, "tx_bytes"},
    Counter{Meter::cnp_handled, Object::rdma_counters, "received_cnps"},
};

}  // namespace

constinit const Driver row = {
    .name = "mana",
    .doc =
        "Azure's virtual NIC: it has no DCB and no pause, and Azure decides priorities and "
        "congestion control; RoCE v2 is on its device mana_N, and manae_N is raw Ethernet.",
    .devices = "Microsoft Azure Network Adapter",
    .folder = "drivers/net/ethernet/microsoft/mana",
    .read_in = "Linux 7.3.4",
    .costs = kCosts,
    .counters = kCounters,
    .costs_source =
        "mana_en.c mana_change_mtu; mana_ethtool.c mana_set_channels, "
        "mana_set_ringparam",
    .counters_source = "drivers/infiniband/hw/mana/counters.c mana_ib_port_stats_desc",
    .counters_known = false,
    .no_dcb = "the driver mana has no DCB: Azure's network decides PFC and priorities",
    .pause = {.absent = true, .source = "mana_ethtool.c mana_ethtool_ops"},
    .ring = {.rx_min = 128,
             .tx_min = 128,
             .power_of_two = true,
             .source = "mana_ethtool.c mana_set_ringparam"},
    // traffic_class >> 2
    .cm_defaults = {.tos_carries_ecn = false, .source = "drivers/infiniband/hw/mana/qp.c"},
    // ib_mtu_int_to_enum(ndev->mtu); RDMA_CORE_PORT_IBA_ROCE_UDP_ENCAP alone
    .rdma_port = {.mtu_overhead = 0,
                  .roce_v1 = false,
                  .source = "drivers/infiniband/hw/mana/main.c mana_ib_query_port, "
                            "mana_ib_get_port_immutable"},
    .rdma_software = {.module = "mana_ib",
                      .provider = "mana",
                      .device_name = "mana_%d",
                      .source = "drivers/infiniband/hw/mana/device.c"},
    .ecn = {.elsewhere = "Azure decides it", .source = "drivers/infiniband/hw/mana"}};

}  // namespace core::mana

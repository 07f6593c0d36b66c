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

/// drivers/infiniband/hw/mana/counters.c, Linux 7.3.
constexpr std::array kCounters = {
    Counter{Meter::out_of_sequence, Object::rdma_counters, "responder_oos"},
    Counter{Meter::sequence_naks, Object::rdma_counters, "requester_oos_nak"},
    Counter{Meter::ack_timeouts, Object::rdma_counters, "requester_timeout"},
    Counter{Meter::retries_exhausted, Object::rdma_counters, "requester_retries_exceeded"},
    Counter{Meter::rnr_received, Object::rdma_counters, "requester_rnr_nak"},
    Counter{Meter::ecn_marked, Object::rdma_counters, "received_ecns"},
    Counter{Meter::cnp_sent, Object::rdma_counters, "sent_cnps"},
    Counter{Meter::cnp_handled, Object::rdma_counters, "received_cnp_count"},
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
    .counters_source = "drivers/infiniband/hw/mana/counters.c",
    .no_dcb = "the driver mana has no DCB: Azure's network decides PFC and priorities",
    .pause = {.absent = true, .source = "mana_ethtool.c mana_ethtool_ops"},
    // traffic_class >> 2
    .cm_defaults = {.tos_carries_ecn = false, .source = "drivers/infiniband/hw/mana/qp.c"},
    // ib_mtu_int_to_enum(ndev->mtu)
    .rdma_port = {.mtu_overhead = 0,
                  .source = "drivers/infiniband/hw/mana/main.c mana_ib_query_port"},
    .rdma_software = {.module = "mana_ib",
                      .provider = "mana",
                      .device_name = "mana_%d",
                      .source = "drivers/infiniband/hw/mana/device.c"},
    .ecn = {.elsewhere = "Azure decides it", .source = "drivers/infiniband/hw/mana"}};

}  // namespace core::mana

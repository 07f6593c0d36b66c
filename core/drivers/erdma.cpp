// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "core/drivers/families.hpp"

namespace core::erdma {
namespace {

/// drivers/infiniband/hw/erdma/erdma_verbs.c erdma_descs.
constexpr std::array kCounters = {
    Counter{Meter::roce_packets, Object::rdma_counters, "rx_packets_cnt"},
    Counter{Meter::roce_rx_bytes, Object::rdma_counters, "rx_bytes_cnt"},
    Counter{Meter::roce_tx_bytes, Object::rdma_counters, "tx_bytes_cnt"},
};

/// The netdev's driver; on older instances it is virtio_net, which has a row of its own.
constexpr std::array<std::string_view, 1> kAlso = {"eea"};

}  // namespace

constinit const Driver row = {
    .name = "erdma",
    .doc =
        "Alibaba Cloud's elastic RDMA (its netdev is eea, or virtio_net): it has no DCB, and the "
        "cloud decides priorities and congestion control; whether it speaks RoCE v2 or iWARP is "
        "the "
        "device's (rdma.protocol).",
    .devices = "Alibaba Cloud ERDMA",
    .folder = "drivers/infiniband/hw/erdma",
    .read_in = "Linux 7.3.4",
    .also = kAlso,
    .counters = kCounters,
    .counters_source = "erdma_verbs.c erdma_descs",
    .costs_known = false,
    .counters_known = false,
    .no_dcb = "the driver has no DCB: Alibaba Cloud's network decides PFC and priorities",
    .pause = {.absent = true,
              .source = "drivers/net/ethernet/alibaba/eea/eea_ethtool.c eea_ethtool_ops"},
    .cm_defaults = {.source = "erdma_verbs.c erdma_attr_to_av"},
    // ib_mtu_int_to_enum(ndev->mtu); RDMA_CORE_PORT_IBA_ROCE_UDP_ENCAP alone
    .rdma_port = {.mtu_overhead = 0,
                  .roce_v1 = false,
                  .source = "erdma_verbs.c erdma_query_port, erdma_get_port_immutable"},
    .rdma_software = {.module = "erdma",
                      .provider = "erdma",
                      .device_name = "erdma_%d",
                      .source = "erdma_main.c"},
    .ecn = {.elsewhere = "the cloud decides it", .source = "erdma_main.c"}};

}  // namespace core::erdma

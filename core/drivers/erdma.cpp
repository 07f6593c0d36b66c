// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "core/drivers/families.hpp"

namespace core::erdma {
namespace {

/// The netdev's driver; on older instances it is virtio_net, which has a row of its own.
constexpr std::array<std::string_view, 1> kAlso = {"eea"};

}  // namespace

/// drivers/infiniband/hw/erdma, Linux 7.3.
constinit const Driver row = {
    .name = "erdma",
    .doc =
        "Alibaba Cloud's elastic RDMA (its netdev is eea, or virtio_net): it has no DCB, and the "
        "cloud decides priorities and congestion control; whether it speaks RoCE v2 or iWARP is "
        "the "
        "device's (rdma.protocol).",
    .also = kAlso,
    .costs_known = false,
    .counters_known = false,
    .no_dcb = "the driver has no DCB: Alibaba Cloud's network decides PFC and priorities",
    .pause = {.absent = true},
    // erdma_verbs.c erdma_query_port: ib_mtu_int_to_enum(ndev->mtu)
    .rdma_port = {.mtu_overhead = 0},
    .rdma_software = {.module = "erdma", .provider = "erdma"}};

}  // namespace core::erdma

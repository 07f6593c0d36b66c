// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "core/drivers/families.hpp"

namespace core::efa {
namespace {

/// The netdev beside it, which has no RDMA.
constexpr std::array<std::string_view, 1> kAlso = {"ena"};

}  // namespace

constinit const Driver row = {
    .name = "efa",
    .doc =
        "Amazon's elastic fabric adapter (its instances' netdev is ena): it speaks SRD, a protocol "
        "of its own, and not RoCE v2; it has no DCB.",
    .devices = "Amazon EFA, ENA",
    .folder = "drivers/infiniband/hw/efa",
    .read_in = "Linux 7.3.4",
    .also = kAlso,
    .costs_known = false,
    .counters_known = false,
    .no_dcb = "the driver has no DCB: Amazon's network decides priorities",
    .pause = {.absent = true, .source = "drivers/net/ethernet/amazon/ena/ena_ethtool.c"},
    .rdma_port = {.mtu_overhead = std::nullopt,
                  .no_roce = "what Amazon has beside it is efa, which speaks SRD and not RoCE v2",
                  .source = "efa_verbs.c"},
    .rdma_software = {.provider = "efa", .device_name = "efa_%d", .source = "efa_main.c"}};

}  // namespace core::efa

// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/families.hpp"

namespace core::cxgb4 {

constinit const Driver row = {
    .name = "cxgb4",
    .doc = "Chelsio T4 to T6: RDMA is iWARP, and not RoCE v2.",
    .devices = "Chelsio T4, T5 and T6",
    .folder = "drivers/net/ethernet/chelsio/cxgb4",
    .read_in = "Linux 7.3.4",
    .costs_known = false,
    .counters_known = false,
    .of_many_devices = true,
    .ets = {.shares_checked = false},
    .rdma_port = {.mtu_overhead = std::nullopt,
                  .no_roce = "RDMA of cxgb4 is iWARP (iw_cxgb4), and not RoCE v2",
                  .source = "drivers/infiniband/hw/cxgb4/provider.c"},
    .rdma_software = {.module = "iw_cxgb4",
                      .provider = "cxgb4",
                      .device_name = "cxgb4_%d",
                      .source = "drivers/infiniband/hw/cxgb4/provider.c"}};

}  // namespace core::cxgb4

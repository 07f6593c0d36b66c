// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/families.hpp"

namespace core::cxgb4 {

/// drivers/infiniband/hw/cxgb4, Linux 7.3.
constinit const Driver row = {
    .name = "cxgb4",
    .doc = "Chelsio T4 to T6: RDMA is iWARP, and not RoCE v2.",
    .costs_known = false,
    .counters_known = false,
    .of_many_devices = true,
    .ets = {.shares_checked = false},
    .rdma_port = {.mtu_overhead = std::nullopt,
                  .no_roce = "RDMA of cxgb4 is iWARP (iw_cxgb4), and not RoCE v2"},
    .rdma_software = {.module = "iw_cxgb4", .provider = "cxgb4"}};

}  // namespace core::cxgb4

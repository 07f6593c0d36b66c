// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/families.hpp"

namespace core::i40e {

/// drivers/net/ethernet/intel/i40e, drivers/infiniband/hw/irdma (i40iw_hw.c), Linux 7.3.
constinit const Driver row = {
    .name = "i40e",
    .doc = "Intel X722: RDMA is iWARP, and not RoCE v2; X710 and XL710 have none.",
    .costs_known = false,
    .counters_known = false,
    .of_many_devices = true,
    .ets = {.shares_checked = false},
    .rdma_port = {.mtu_overhead = std::nullopt,
                  .no_roce = "RDMA of i40e is iWARP (X722, irdma), and not RoCE v2"},
    .rdma_software = {.module = "irdma", .provider = "irdma"}};

}  // namespace core::i40e

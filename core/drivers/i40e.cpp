// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/families.hpp"

namespace core::i40e {

constinit const Driver row = {
    .name = "i40e",
    .doc = "Intel X722: RDMA is iWARP, and not RoCE v2; X710 and XL710 have none.",
    .devices = "Intel X722, X710, XL710",
    .folder = "drivers/net/ethernet/intel/i40e",
    .read_in = "Linux 7.3.4",
    .costs_known = false,
    .counters_known = false,
    .of_many_devices = true,
    .ets = {.shares_checked = false},
    .rdma_port = {.mtu_overhead = std::nullopt,
                  .no_roce = "RDMA of i40e is iWARP (X722, irdma), and not RoCE v2",
                  .source = "drivers/infiniband/hw/irdma/i40iw_hw.c"},
    .rdma_software = {.module = "irdma",
                      .provider = "irdma",
                      .device_name = "irdma%d",
                      .source = "drivers/infiniband/hw/irdma/i40iw_if.c"}};

}  // namespace core::i40e

// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/families.hpp"

namespace core::bnge {

constinit const Driver row = {
    .name = "bnge",
    .doc =
        "Broadcom Thor Ultra (BCM57708): the kernel's driver has no DCB, and its RDMA driver makes "
        "no device yet.",
    .devices = "Broadcom Thor Ultra (14e4:1780)",
    .folder = "drivers/net/ethernet/broadcom/bnge",
    .read_in = "Linux 7.3.4",
    .costs_known = false,
    .counters_known = false,
    .no_dcb = "the driver bnge has no DCB in this kernel",
    .rdma_port = {.no_roce = "there is no RDMA in this kernel for bnge",
                  .source = "drivers/infiniband/hw/bng_re (no ib_register_device)"}};

}  // namespace core::bnge

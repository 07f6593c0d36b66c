// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/families.hpp"

namespace core::bnge {

/// drivers/net/ethernet/broadcom/bnge (14e4:1780), Linux 7.3; drivers/infiniband/hw/bng_re there
/// registers no device (no ib_register_device).
constinit const Driver row = {
    .name = "bnge",
    .doc =
        "Broadcom Thor Ultra (BCM57708): the kernel's driver has no DCB, and its RDMA driver makes "
        "no device yet.",
    .costs_known = false,
    .counters_known = false,
    .no_dcb = "the driver bnge has no DCB in this kernel",
    .rdma_port = {.no_roce = "there is no RDMA in this kernel for bnge"}};

}  // namespace core::bnge

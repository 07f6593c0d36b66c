// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/families.hpp"

namespace core::generic {

/// What the kernel does by itself (net/dcb/dcbnl.c).
constinit const Driver row = {
    .name = "generic",
    .title = "unknown driver",
    .doc =
        "A driver that rocectl has no row for: what the kernel's DCB layer does by itself is "
        "assumed, and every write is read back. What a write disrupts, what the device counts and "
        "which RDMA MTU follows from the MTU is not known.",
    .folder = "net/dcb",
    .read_in = "Linux 6.12.117 and 7.3.4",
    .costs_known = false,
    .counters_known = false,
    .of_many_devices = true,
    .ets = {.shares_checked = false},
    .rewrite = {.obeyed = true},
    .rdma_port = {.mtu_overhead = std::nullopt}};

}  // namespace core::generic

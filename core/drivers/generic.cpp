// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/families.hpp"

namespace core::generic {

/// What the kernel does by itself (net/dcb/dcbnl.c).
constinit const Driver row = {
    .name = "generic",
    .doc =
        "A driver that rocectl has no row for: what the kernel's DCB layer does by itself is "
        "assumed, and every write is read back.",
    .ets = {.shares_checked = false},
    .rewrite = {.obeyed = true}};

}  // namespace core::generic

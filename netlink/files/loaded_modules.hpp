// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "netlink/transport/machine.hpp"

namespace netlink {

/// The kernel modules that /proc/modules lists; none where the kernel has no modules.
Names loaded_modules(const Machine& machine);
/// Whether the kernel has the module built in. Those that have no parameters are not below
/// /sys/module: modules.builtin lists them.
bool is_built_in(const Machine& machine, const std::string& name);
/// Whether asking the kernel for what the module does would have it loaded. A kernel without
/// modules has no /proc/modules, and loads none.
bool would_load(const Machine& machine, const std::string& name);

}  // namespace netlink

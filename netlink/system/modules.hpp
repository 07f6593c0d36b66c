// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlink/files/sysctl.hpp"

namespace netlink {

/// Those that /proc/modules lists; nothing of a kernel without modules.
Names loaded_modules(const Machine& machine);
/// Those built in that have no parameters are not below /sys/module: modules.builtin lists them.
bool is_built_in(const Machine& machine, const std::string& name);

/// Which of the named modules are loaded or built in; where none is named, all that are loaded.
void read_modules(Machine& machine, const Names& names, core::Port& itself);
/// Loads what is missing with all that it needs, as modprobe(8) does, and removes what is to go.
void write_modules(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlink/files/sysctl.hpp"

namespace netlink {

/// Which of the named modules are loaded or built in; where none is named, all that are loaded.
void read_modules(Machine& machine, const Names& names, core::Port& itself);
/// Loads what is missing with all that it needs, as modprobe(8) does, and removes what is to go.
void write_modules(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink

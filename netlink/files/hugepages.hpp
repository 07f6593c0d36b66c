// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlink/files/sysctl.hpp"

namespace netlink {

/// How many huge pages the named pools hold, or all of them.
void read_hugepages(Machine& machine, const Names& names, core::Port& itself);
void write_hugepages(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink

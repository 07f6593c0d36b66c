// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "netlink/transport/machine.hpp"

namespace netlink {

/// Which elements of an object of the host are read; all that can be listed where none is named.
using Names = std::set<std::string>;

/// Reads the named parameters, or those of net.core, net.ipv4 and vm. One that does not exist is
/// left out.
void read_sysctl(Machine& machine, const Names& names, core::Port& itself);
void write_sysctl(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink

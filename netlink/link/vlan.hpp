// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlink/transport/machine.hpp"

namespace netlink {

/// The id and the maps in the IFLA_INFO_DATA of a VLAN; the parent is not among it.
core::Vlan decode_vlan(const Attributes& data);

/// Makes the VLAN, changes its maps, or removes it.
void write_vlan(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink

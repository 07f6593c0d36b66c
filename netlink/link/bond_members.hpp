// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "netlink/transport/machine.hpp"

namespace netlink {

/// The names of the links that have this one as their master.
core::BondMembers members_of(Machine& machine, std::uint32_t bond);

void join_bond(Machine& machine, const std::string& port, std::uint32_t bond);
void leave_bond(Machine& machine, const std::string& port);

/// Takes ports out of the bond and into it.
void write_bond_members(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink

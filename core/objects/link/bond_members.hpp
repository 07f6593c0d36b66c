// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

namespace core {

struct Port;
struct State;

/// The names of the ports that a bond is made of.
using BondMembers = std::set<std::string>;

}  // namespace core

namespace core::bond_members {

/// Takes all members off the bond; gives them back as they were.
std::vector<Port> release_all(State& state, const Port& bond);
/// Takes them off and puts them on again, for what needs a bond without members.
std::vector<Port> rejoin(State& state, Port& bond);

}  // namespace core::bond_members

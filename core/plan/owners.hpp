// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string_view>
#include <vector>

#include "core/plan/kernel.hpp"

namespace core {

/// The names of all that manage ports beside rocectl, as findings and --take have them.
std::vector<std::string_view> owner_names();

/// What a plan has to know of who else manages or uses its ports, before it is applied: the ports
/// with steps, and of those who manages them and which queue pairs are on them.
Scope owner_scope(const Plan& plan);

/// Who else manages or uses what the plan writes: a note for each owner and port, with how to make
/// it stop, and one for each port that held_ports tells of. `owners` is what was read of
/// owner_scope.
std::vector<Finding> other_owners(const Plan& plan, const State& owners);
/// Why the plan would fight with an owner that is not among `taken`; empty where it would not.
std::vector<std::string> conflicts(const Plan& plan, const State& owners,
                                   const std::set<std::string>& taken);

/// Queue pairs on a port whose link, or more, the plan costs: a line for each port with who has
/// them. What could not be read counts as held.
std::vector<std::string> held_ports(const Plan& plan, const State& owners);

}  // namespace core

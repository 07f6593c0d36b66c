// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string_view>
#include <vector>

#include "core/plan/kernel.hpp"

namespace core {

/// The names of the other programs that manage ports, as findings and --take spell them.
std::vector<std::string_view> owner_names();

/// What to read before applying the plan to see who else uses its ports: who manages the ports with
/// steps, and the queue pairs on those that lose their link or RDMA device.
Scope owner_scope(const Plan& plan);

/// A note for each other owner of something that the plan writes, with how to stop it, and one for
/// each of held_ports. `owners` was read with owner_scope.
std::vector<Finding> other_owners(const Plan& plan, const State& owners);
/// A line for each owner that writes the same objects and is not in `taken`; apply refuses to run
/// while there is one.
std::vector<std::string> conflicts(const Plan& plan, const State& owners,
                                   const std::set<std::string>& taken);

/// A line for each port that would lose its link or RDMA device while queue pairs are on it, with
/// who has them. Queue pairs that could not be read count.
std::vector<std::string> held_ports(const Plan& plan, const State& owners);

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/profile/entry.hpp"

namespace core {

/// Adds a problem for each address that the entry, or a VLAN of it, states for more than one port.
void check_addresses(const Entry& entry, Problems& problems);

/// The addresses that are desired on two ports. Link-local ones are each port's own.
std::vector<Finding> desired_twice(const std::vector<Desired>& desired_values);

}  // namespace core

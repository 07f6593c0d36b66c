// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/profile/collection.hpp"

namespace core {

/// Adds a problem where the intent has packets told apart by the VLAN tag, and nothing in the
/// entries puts a priority into one.
void check_tagging(const Intent& intent, const Node& ports, Problems& problems);

/// A finding for each port whose intent has packets told apart by the VLAN tag, where neither its
/// own desired values nor those of a VLAN on it put a priority into one.
std::vector<Finding> untagged(const std::vector<PortDesired>& ports);

}  // namespace core

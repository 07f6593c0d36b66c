// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "core/checks/evidence.hpp"

namespace core {

/// What the catalogue finds in the desired values for one port alone: on the state that they
/// describe, in what they are derived from, and in what the switches do. Each fault has a desired
/// value to blame. A row that needs a key which is not desired, or is still `open`, says nothing.
Faults inconsistencies(const std::vector<Desired>& desired_values,
                       const std::optional<Intent>& intent, const std::optional<Fabric>& fabric,
                       const Driver& driver, const std::set<const Field*>& open = {});

}  // namespace core

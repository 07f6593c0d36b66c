// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/plan/plan.hpp"

namespace core {

/// What the catalogue finds in the state that the plan predicts, side effects of the drivers
/// included, where something of it is desired or would change. What the profile alone shows is
/// among the findings of the desired values already, and not said again.
std::vector<Finding> contradictions(const DesiredState& desired_values, const Plan& plan);

/// Objects of DCB, which come in one exchange, and of congestion control that decide whether what
/// is desired fits together.
Objects examined_beside(const DesiredState& desired_values);

}  // namespace core

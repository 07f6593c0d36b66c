// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/plan/plan.hpp"

namespace core {

/// Runs the catalogue's checks of settings on the state that the plan predicts, side effects of
/// drivers included. Only checks that read something desired or changed are run. What the plan's
/// findings already have for the port is not reported again.
std::vector<Finding> contradictions(const DesiredState& desired_values, const Plan& plan);

/// The DCB and congestion control objects that contradictions() needs beside the desired ones. DCB
/// objects come in one exchange, so reading them costs little.
Objects examined_beside(const DesiredState& desired_values);

}  // namespace core

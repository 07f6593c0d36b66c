// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/doctor/examination.hpp"

namespace core {

/// What the profile states and its ports and the host do not hold, a check each; an
/// element that what was found has a fix for is reported there, and what lives where a
/// finding says that nothing is (Cause::without).
std::vector<Check> drift(const State& now, const DesiredState& desired_values,
                         const std::vector<Check>& found);

}  // namespace core

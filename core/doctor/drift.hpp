// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/doctor/examination.hpp"

namespace core {

/// Settings of the profile that its ports and the host do not have, one check each. Left out:
/// elements for which `found` already has a fix, and all that lives on something found missing
/// (Cause::without).
std::vector<Check> drift(const State& now, const DesiredState& desired_values,
                         const std::vector<Check>& found);

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/plan/plan.hpp"

namespace core {

/// A plan written to a file for review and a later apply, with what it was made from.
struct SavedPlan {
    std::string profile{};
    std::string digest{};  ///< SHA-256 over all files that the desired values come from
    DesiredState desired_values{};
    State before{};
    std::vector<Step> steps{};
};

nlohmann::ordered_json to_json(const SavedPlan& saved);
/// Throws Error (invalid_input) with a line for each problem.
SavedPlan parse_saved_plan(std::string_view text, const std::string& file);

/// A line for each difference between what the saved steps touch as it was and as it is now; where
/// there is none, a line for each step in which `plan`, made again from the same desired values,
/// differs. Empty: the saved plan may be applied.
std::vector<std::string> changed_since(const SavedPlan& saved, const Plan& plan);

}  // namespace core

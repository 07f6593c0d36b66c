// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/plan/plan.hpp"

namespace core {

/// A plan that somebody read and may apply later, and what it was made from.
struct SavedPlan {
    std::string profile{};
    std::string digest{};  ///< SHA-256 of all that the desired values came from
    DesiredState desired_values{};
    State before{};
    std::vector<Step> steps{};
};

nlohmann::ordered_json to_json(const SavedPlan& saved);
/// Throws Error (invalid_input) with a line for each problem.
SavedPlan parse_saved_plan(std::string_view text, const std::string& file);

/// What of all that the steps touch is not any more as it was when the plan was made, and how
/// `plan`, made from the same desired values now, differs. Empty: it is the plan that was saved.
std::vector<std::string> changed_since(const SavedPlan& saved, const Plan& plan);

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/views/style.hpp"
#include "core/plan/plan.hpp"

namespace cli {

/// A plan as a comment on a review: a table for the ports that differ in nothing else, then what
/// was found. Whatever a host or a file calls something stands there as code.
std::string plan_markdown(const std::string& profile, const core::Plan& plan, const Style& style);

}  // namespace cli

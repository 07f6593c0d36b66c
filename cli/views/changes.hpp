// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/views/style.hpp"
#include "core/plan/plan.hpp"

namespace cli {

/// What a plan changes, a block for the ports that differ in nothing else: before, after, what it
/// costs and where it is from.
std::string changes_text(const core::Plan& plan, const Style& style);
/// The same as differences: expected and found.
std::string differences_text(const core::Plan& plan, const Style& style);

}  // namespace cli

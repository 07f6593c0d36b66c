// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/views/style.hpp"
#include "core/plan/plan.hpp"

namespace cli {

/// Where it is from, in as few words as a table has room for: `roce.dscp (file.json:12)`.
std::string origin_in_short(const core::Origin& origin);
/// What a plan changes, a block for the ports that differ in nothing else: before, after, what it
/// costs and where it is from.
std::string changes_text(const core::Plan& plan, const Style& style);
/// What a plan changes, told as differences: of each setting what is expected, what was found, and
/// where the desired value is from.
std::string differences_text(const core::Plan& plan, const Style& style);

}  // namespace cli

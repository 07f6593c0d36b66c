// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "core/model/state.hpp"
#include "core/plan/journal.hpp"

namespace core {

/// What runs since the host was started, with `boot` as its boot id, ended well without. They are
/// in the order in which they ran, and of each value the last word counts.
std::vector<RefusedOptional> refused_optional(const std::vector<JournalEntry>& entries,
                                              std::string_view boot);

/// Takes the optional desired values out that `now` does not hold and a device refused, since no
/// apply is known that would fix it; a note says so of each.
std::vector<Finding> take_out_refused_optional(DesiredState& desired_values,
                                               const std::vector<RefusedOptional>& refused_optional,
                                               const State& now);

}  // namespace core

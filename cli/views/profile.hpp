// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>

#include "cli/views/json.hpp"
#include "cli/views/style.hpp"
#include "core/profile/offline.hpp"

namespace cli {

/// A profile without a host: each value with its origin, for the drivers that entries can match.
/// It is written entry by entry, since the values of many entries take much memory.
void write_offline_profile(std::ostream& out, const core::Profile& profile,
                           const core::Given& given, const Style& style);
void write_offline_profile_json(std::ostream& out, const Heading& heading,
                                const core::Profile& profile, const core::Given& given);

/// A profile on a host: each value of each port that matched.
std::string desired_text(const core::DesiredState& desired_values, const core::State& inventory,
                         const Style& style);
std::string desired_json(const Heading& heading, const std::string& profile,
                         const core::DesiredState& desired_values, const core::State& inventory);

}  // namespace cli

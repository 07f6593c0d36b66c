// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/views/json.hpp"
#include "cli/views/style.hpp"
#include "core/profile/outlook.hpp"

namespace cli {

/// A profile without a host: each value with its origin, for the drivers that entries can match.
std::string outlook_text(const core::Outlook& outlook, const Style& style);
std::string outlook_json(const Heading& heading, const core::Outlook& outlook);

/// A profile on a host: each value of each port that matched.
std::string wishes_text(const core::Wishes& wishes, const core::State& inventory,
                        const Style& style);
std::string wishes_json(const Heading& heading, const std::string& profile,
                        const core::Wishes& wishes, const core::State& inventory);

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/views/json.hpp"
#include "cli/views/style.hpp"
#include "core/profile/switch_words.hpp"

namespace cli {

/// What the switches need for the entries that `of` names; several entries may need the same.
struct SwitchPart {
    core::SwitchNeeds needs{};
    std::vector<std::string> of{};
};

/// What the switches have to be set to, and how four systems say it.
std::string switch_text(const std::string& profile, const std::vector<SwitchPart>& parts,
                        const Style& style);
std::string switch_json(const Heading& heading, const std::string& profile,
                        const std::vector<SwitchPart>& parts);

}  // namespace cli

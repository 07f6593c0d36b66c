// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/views/json.hpp"
#include "cli/views/style.hpp"
#include "core/model/driver.hpp"

namespace cli {

/// The driver rows to show, and which key of `roce` it is about: empty for all of them.
struct IntentView {
    std::string key;
    std::vector<const core::Driver*> drivers;
};

/// `roce`, `roce.dscp`: whether a profile's intent has it.
bool is_intent_key(std::string_view key);

/// What the intent is, its keys, and on each driver the settings that follow from it.
std::string intent_text(const IntentView& view, const Style& style);
std::string intent_json(const Heading& heading, const IntentView& view);

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "cli/views/style.hpp"
#include "core/model/field.hpp"

namespace cli {

/// Everything the tables say about a field, for a person.
std::string explanation(const core::Field& field, const Style& style);

/// `"pfc": {"priorities": [3]}`: how a profile states the setting.
std::string example(const core::Field& field);

/// A profile that states every setting.
std::string example_profile();

/// The settings, facts and drivers of rocectl-profile(5), in man(7) macros.
std::string manual_tables();

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "cli/views/entry.hpp"
#include "core/model/field.hpp"
#include "core/profile/glossary.hpp"
#include "core/profile/profile_keys.hpp"

namespace cli {

/// Everything the tables say about a field, for a person.
Entry entry_of(const core::Field& field);

/// Everything the tables say about a key of a profile that is no setting, or about a word of RoCE
/// (core/profile/glossary.hpp), for a person.
Entry entry_of(const core::ProfileKey& key);
Entry entry_of(const core::GlossaryEntry& term);

/// `"pfc": {"priorities": [3]}`: how a profile states the setting.
std::string example(const core::Field& field);

/// A profile that states every setting.
std::string example_profile();

/// The settings, facts and drivers of rocectl-profile(5), in man(7) macros.
std::string manual_tables();

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "cli/views/entry.hpp"
#include "core/model/field.hpp"
#include "core/profile/glossary.hpp"
#include "core/profile/keys.hpp"

namespace cli {

/// The reference entry of a field, as explain prints it.
Entry entry_of(const core::Field& field);

/// The reference entry of a profile key that is no setting, or of a RoCE term
/// (core/profile/glossary.hpp).
Entry entry_of(const core::ProfileKey& key);
Entry entry_of(const core::GlossaryEntry& term);

/// `"pfc": {"priorities": [3]}`: how a profile states the setting.
std::string example(const core::Field& field);

/// A profile that states every setting.
std::string example_profile();

/// The settings, facts and drivers of rocectl-profile(5), in man(7) macros.
std::string manual_tables();

}  // namespace cli

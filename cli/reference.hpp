// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/views/style.hpp"
#include "core/model/field.hpp"
#include "core/model/finding.hpp"
#include "core/profile/glossary.hpp"
#include "core/profile/keys.hpp"

namespace cli {

/// All that the tables say about one thing that a person can ask for, for whichever form of it.
struct Entry {
    struct Part {
        std::string title;
        std::vector<Row> rows{};
        bool shared = false;  ///< the same for many entries: a page that has all has it once
    };
    std::string name{};
    std::string doc{};          ///< sentences
    std::vector<Row> rows{};    ///< of two columns: what is reported, and what it is
    std::vector<Part> parts{};  ///< more of it, below headings of their own
};

/// For a terminal.
std::string text_of(const Entry& entry, const Style& style);

/// The reference entry of a field, as explain prints it.
Entry entry_of(const core::Field& field);

/// The reference entry of a profile key that is no setting, or of a RoCE term
/// (core/profile/glossary.hpp).
Entry entry_of(const core::ProfileKey& key);
Entry entry_of(const core::GlossaryEntry& term);

/// The catalogue's entry for a finding.
Entry entry_of(const core::FindingRow& row);

/// `"pfc": {"priorities": [3]}`: how a profile states the setting.
std::string example(const core::Field& field);

/// A profile that states every setting.
std::string example_profile();

/// The settings, facts and drivers of rocectl-profile(5), in man(7) macros.
std::string manual_tables();

/// The findings of rocectl-checks(7), in man(7) macros.
std::string manual_findings();

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/views/json.hpp"
#include "cli/views/style.hpp"
#include "core/plan/journal.hpp"

namespace cli {

/// A row for each entry, the newest last.
std::string history_text(const std::vector<core::JournalEntry>& entries, const Style& style);
/// All that is recorded of one run: what it was to write, what became of each write.
std::string entry_text(const core::JournalEntry& entry, const Style& style);

std::string history_json(const Heading& heading, const std::vector<core::JournalEntry>& entries);
std::string entry_json(const Heading& heading, const core::JournalEntry& entry);

/// `apply 12 of 2026-11-21T10:00:00Z (gpu-rail) is unfinished`: for the next run to say. Where it
/// `may_go_on`, nobody is told to go back.
std::string open_text(const core::JournalEntry& entry, bool may_go_on);

}  // namespace cli

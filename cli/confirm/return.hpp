// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "cli/files/journal.hpp"
#include "cli/run/session.hpp"
#include "core/undo/return_to.hpp"

namespace cli {

/// The way back before an entry of the journal, from wherever the host is now.
struct Way {
    std::vector<core::JournalEntry> entries{};  ///< the one that is named, and all after it
    core::Return back{};
    core::Plan plan{};
};
Way way_before(core::Kernel& kernel, const Journal& journal, std::uint64_t entry);

/// Goes it, verifies it, and marks the entries. The lock is the caller's. `reason` is kept.
core::Report go(const Session& session, core::Kernel& kernel, const Journal& journal,
                const Way& way, const std::string& reason);

/// Both, without asking anybody.
core::Report return_before(const Session& session, const Journal& journal, std::uint64_t entry,
                           const std::string& reason);

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "cli/files/journal.hpp"
#include "cli/run/session.hpp"
#include "core/undo/undo.hpp"

namespace cli {

/// What undoes an entry of the journal and all after it, from wherever the host is now.
struct Undoing {
    std::vector<core::JournalEntry> entries{};  ///< the one that is named, and all after it
    core::Undo undo{};
    core::Plan plan{};
};
Undoing undoing_before(core::Kernel& kernel, const Journal& journal, std::uint64_t entry);

/// Writes its plan, verifies it, and marks the entries. The lock is the caller's. `reason` is kept.
core::Report undo(const Session& session, core::Kernel& kernel, const Journal& journal,
                  const Undoing& undoing, const std::string& reason);

/// Plans the undoing of `entry` and of all entries after it on the live host, and writes it,
/// without asking anybody. The lock is the caller's. Throws Error where an entry or the host cannot
/// be read.
core::Report undo_before(const Session& session, const Journal& journal, std::uint64_t entry,
                         const std::string& reason);

}  // namespace cli

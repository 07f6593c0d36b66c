// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "cli/files/journal.hpp"
#include "cli/run/session.hpp"
#include "core/plan/undo.hpp"

namespace cli {

/// The plan that undoes an entry of the journal and all after it, from the host's current state and
/// in this network namespace.
struct Undoing {
    std::vector<core::JournalEntry> entries{};  ///< the named one, and all after it
    core::Undo undo{};
    core::Plan plan{};
};
Undoing undoing_before(const Session& session, core::Kernel& kernel, const Journal& journal,
                       std::uint64_t entry);

/// Writes the plan, verifies it, and marks the entries. The caller holds the lock. `reason` is
/// recorded.
core::Report undo(const Session& session, core::Kernel& kernel, const Journal& journal,
                  const Undoing& undoing, const std::string& reason);

/// Undoes `entry` and all entries after it on the live host, without asking. The caller holds the
/// lock. Throws Error where an entry or the host cannot be read.
core::Report undo_before(const Session& session, const Journal& journal, std::uint64_t entry,
                         const std::string& reason);

}  // namespace cli

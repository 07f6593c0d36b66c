// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "cli/files/journal.hpp"
#include "cli/run/session.hpp"
#include "core/plan/undo.hpp"

namespace cli {

/// The plan that undoes entries of the journal, from the host's current state and in the network
/// namespace that is told. After a boot it undoes what that left (core::boot::outlives_boot).
struct JournalRollback {
    std::vector<core::JournalEntry> entries{};  ///< the first one, and all after it
    core::Undo undo{};
    core::Plan plan{};
};
JournalRollback rollback_of(core::Kernel& kernel, std::vector<core::JournalEntry> entries,
                            const core::NetworkNamespace& here, bool after_a_boot = false);

/// Writes the plan, verifies it, and marks the entries in `marks`: the same journal, or one whose
/// disk is given its time anew. The caller holds the lock. `reason` is recorded.
core::Report roll_back(const Session& session, core::Kernel& kernel, const Journal& journal,
                       const Journal& marks, const JournalRollback& rollback,
                       const std::string& reason);

}  // namespace cli

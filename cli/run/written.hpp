// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/run/standby.hpp"
#include "cli/run/task.hpp"

namespace cli {

/// Whether the desired values are written, even if a port is not ready.
[[nodiscard]] bool is_written(core::Status status);

/// Writes the task's plan, which may_write() has to have allowed, and records it in the journal as
/// the session's command. Half-done entries of earlier runs that it completes are marked so.
core::Report write_plan(const Session& session, Task& task, const Journal& journal,
                        StandsBy stands_by = {});

/// Marks half-done entries of earlier runs as completed, where the desired values include all of
/// their values. `by` is the entry that did it; 0 where nothing had to be written.
void complete_others(const Journal& journal, const core::DesiredState& desired_values,
                     std::uint64_t by);

}  // namespace cli

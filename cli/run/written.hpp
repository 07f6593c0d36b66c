// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/run/standby.hpp"
#include "cli/run/task.hpp"

namespace cli {

/// Whether what is desired is written: a port that is not ready does not change that.
[[nodiscard]] bool is_written(core::Status status);

/// Writes the task's plan, of which may_write() holds, and keeps it in the journal: the entry's
/// command is the session's. What earlier runs left half done is marked as done with it.
core::Report write_plan(const Session& session, Task& task, const Journal& journal,
                        StandsBy stands_by = {});

/// What an earlier run left half done is done, where the desired values have all of it: by the
/// entry of that number, or 0 where nothing had to be written.
void complete_others(const Journal& journal, const core::DesiredState& desired_values,
                     std::uint64_t by);

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#include "cli/run/written.hpp"

#include <utility>

#include "cli/run/run.hpp"
#include "core/plan/undo.hpp"

namespace cli {
namespace {

constexpr std::size_t kEntriesKept = 100;

}  // namespace

bool is_written(core::Status status) {
    return status == core::Status::done || status == core::Status::differs;
}

void complete_others(const Journal& journal, const core::DesiredState& desired_values,
                     std::uint64_t by) {
    for (const core::JournalEntry& entry : journal.open_entries())
        if (entry.id != by && core::completes(desired_values, entry))
            journal.mark(entry.id, "completed_by", by);
}

core::Report write_plan(const Session& session, Task& task, const Journal& journal,
                        StandsBy stands_by) {
    Run run(session, journal, {.subject = task.profile_name(), .digest = task.digest()},
            std::move(stands_by));
    core::Report report =
        core::apply(task.kernel(), task.desired_values(), task.plan(), run, waits_of(session));
    run.end(report.status);
    report.entry = run.id();
    // A dry run on a state file is no business of this host's journal.
    if (session.options.state) return report;
    after_all([&] {
        if (is_written(report.status)) complete_others(journal, task.desired_values(), run.id());
        journal.prune(kEntriesKept);
    });
    return report;
}

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#include "cli/confirm/journal_rollback.hpp"

#include <algorithm>
#include <functional>

#include "cli/files/pending.hpp"
#include "cli/log.hpp"
#include "cli/run/run.hpp"
#include "cli/run/task.hpp"
#include "cli/views/text.hpp"
#include "core/boot/outcome.hpp"
#include "core/model/finding_names.hpp"
#include "core/plan/undo.hpp"

namespace cli {
namespace {

using core::JournalEntry;
using core::Report;
using core::Status;

/// What cannot be noted is said, and is no reason not to go back.
void note(Report& report, const std::function<void()>& work) {
    try {
        work();
    } catch (const core::Error& error) {
        report.surprises.push_back(core::unnoted(error.what()));
    }
}

/// A run that found nothing to write only ends what was open.
void mark_all(const Session& session, const Journal& journal,
              const std::vector<JournalEntry>& entries, bool wrote, Report& report) {
    for (const JournalEntry& entry : entries)
        if (wrote || is_open(entry))
            note(report, [&] { journal.mark(entry.id, "rolled_back_by", report.entry); });
    note(report, [&] {
        const auto pending = read_pending(session.options.root);
        if (pending && pending->entry >= entries.front().id) remove_pending(session.options.root);
    });
}

void tell_unnoted(const Report& report) {
    for (const core::Finding& finding : report.surprises)
        if (finding.id == core::findings::unnoted) log_warning(line_of(finding));
}

/// Nothing was to be written: as before, or what is left changed cannot be found or read.
Report unwritten(const core::Plan& plan) {
    Report report;
    report.plan = plan;
    report.remaining = plan;
    for (const core::Finding& finding : plan.findings)
        if (finding.level != core::Finding::Level::note) report.left_changed.push_back(finding);
    report.status = report.left_changed.empty() ? Status::done : Status::left_changed;
    return report;
}

}  // namespace

JournalRollback rollback_of(core::Kernel& kernel, std::vector<JournalEntry> entries,
                            const core::NetworkNamespace& here, bool after_a_boot) {
    JournalRollback rollback{.entries = std::move(entries)};
    rollback.undo = core::undo_of(rollback.entries, here);
    if (after_a_boot) {
        core::DesiredState& left = rollback.undo.undo_profile;
        std::erase_if(left.desired_values, std::not_fn(core::boot::outlives_boot));
        left.exact.clear();
    }
    const core::State inventory = kernel.read(core::subjects_scope());
    core::find_again(rollback.undo, inventory);
    rollback.plan = make_plan(rollback.undo.undo_profile,
                              kernel.read(core::scope_of(rollback.undo.undo_profile, inventory)),
                              rollback.undo.force);
    return rollback;
}

Report roll_back(const Session& session, core::Kernel& kernel, const Journal& journal,
                 const Journal& marks, const JournalRollback& rollback, const std::string& reason) {
    if (rollback.plan.steps.empty()) {
        Report report = unwritten(rollback.plan);
        if (report.status == Status::done)
            mark_all(session, marks, rollback.entries, false, report);
        tell_unnoted(report);
        return report;
    }
    const std::string id = std::to_string(rollback.entries.front().id);
    Run run(session, journal, {.subject = reason.empty() ? id : id + ": " + reason});
    Report report = core::undo_run(kernel, rollback.undo.undo_profile, rollback.plan,
                                   rollback.undo.force, run, waits_of(session));
    run.end(report.status);
    report.entry = run.id();
    if (report.status == Status::done) mark_all(session, marks, rollback.entries, true, report);
    tell_unnoted(report);
    return report;
}

}  // namespace cli

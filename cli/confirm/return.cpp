// SPDX-License-Identifier: Apache-2.0
#include "cli/confirm/return.hpp"

#include <algorithm>

#include "cli/confirm/pending.hpp"
#include "cli/run/run.hpp"
#include "cli/run/task.hpp"

namespace cli {
namespace {

using core::JournalEntry;
using core::Report;
using core::Status;

/// A run that found nothing to write (`by` is 0) only ends what was open.
void mark_all(const Session& session, const Journal& journal,
              const std::vector<JournalEntry>& entries, std::uint64_t by) {
    for (const JournalEntry& entry : entries)
        if (by != 0 || is_open(entry)) journal.mark(entry.id, "rolled_back_by", by);
    const auto pending = read_pending(session.options.root);
    if (pending && pending->entry >= entries.front().id) remove_pending(session.options.root);
}

/// Nothing was to be written: as before, or what is missing cannot be found.
Report unwritten(const core::Plan& plan) {
    Report report;
    report.plan = plan;
    report.remaining = plan;
    const bool failed = std::ranges::any_of(plan.findings, [](const core::Finding& finding) {
        return finding.level != core::Finding::Level::note;
    });
    report.status = failed ? Status::failed : Status::done;
    return report;
}

}  // namespace

Way way_before(core::Kernel& kernel, const Journal& journal, std::uint64_t entry) {
    Way way{.entries = journal.entries_from(entry)};
    way.back = core::return_to(way.entries);
    const core::State inventory = kernel.read(core::subjects_scope());
    core::find_again(way.back, inventory);
    way.plan = make_plan(way.back.past, kernel.read(core::scope_of(way.back.past, inventory)),
                         way.back.force);
    return way;
}

Report go(const Session& session, core::Kernel& kernel, const Journal& journal, const Way& way,
          const std::string& reason) {
    if (way.plan.steps.empty()) {
        Report report = unwritten(way.plan);
        if (report.status == Status::done) mark_all(session, journal, way.entries, 0);
        return report;
    }
    const std::string id = std::to_string(way.entries.front().id);
    Run run(session, journal, {.subject = reason.empty() ? id : id + ": " + reason});
    Report report =
        core::roll_back(kernel, way.back.past, way.plan, way.back.force, run, terms_of(session));
    run.end(report.status);
    report.entry = run.id();
    if (report.status == Status::done)
        after_all([&] { mark_all(session, journal, way.entries, run.id()); });
    return report;
}

Report return_before(const Session& session, const Journal& journal, std::uint64_t entry,
                     const std::string& reason) {
    const auto kernel = session.live(session.options.root);
    return go(session, *kernel, journal, way_before(*kernel, journal, entry), reason);
}

}  // namespace cli

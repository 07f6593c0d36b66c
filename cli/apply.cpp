// SPDX-License-Identifier: Apache-2.0
#include "core/plan/apply.hpp"

#include <algorithm>

#include "cli/command.hpp"
#include "cli/files.hpp"
#include "cli/log.hpp"
#include "cli/signals.hpp"
#include "cli/task.hpp"
#include "cli/view_json.hpp"
#include "cli/view_text.hpp"

namespace cli {
namespace {

using core::Error;
using core::Report;
using core::Status;

/// One line for each step that costs more than --allow grants.
std::vector<std::string> too_much(const core::Plan& plan, const Options& options) {
    std::vector<std::string> lines;
    for (const core::Step& step : plan.steps) {
        const std::string subject =
            step.port + ": " + std::string(core::row_of(step.object).name) + ": ";
        if (step.disruption > options.allow)
            lines.push_back(subject + "writing it costs '" + std::string(word(step.disruption)) +
                            "', more than --allow " + std::string(word(options.allow)));
        if (step.irreversible && !options.allow_irreversible)
            lines.push_back(subject +
                            "writing it cannot be undone; --allow irreversible accepts it");
    }
    return lines;
}

void require_privilege(const Session& session) {
    if (session.options.state) return;
    if (const std::string lacks = session.lacks(); !lacks.empty())
        throw Error(Status::no_permission, "apply: " + lacks);
}

/// Everything that speaks against writing, found before anything is written. False where a
/// person said no.
bool may_write(const Session& session, const core::Plan& plan) {
    if (const auto lines = too_much(plan, session.options); !lines.empty())
        throw Error(Status::failed, lines);
    require_privilege(session);
    if (session.options.out) check_writable(*session.options.out);
    if (session.options.yes) return true;
    const bool shown = session.options.output == Output::text;
    return session.ask((shown ? "" : plan_text(plan, {})) + "Apply? [y/N] ");
}

Report unwritten(const core::Plan& plan, Status status) {
    Report report;
    report.plan = plan;
    report.remaining = plan;
    report.status = status;
    return report;
}

Report write(Task& task) {
    const Signals signals;
    return core::apply(
        task.kernel(), task.wishes(), task.plan(), [&signals](const core::Outcome& outcome) {
            log_info(outcome.text.empty()
                         ? outcome.step.port + ": " +
                               std::string(core::row_of(outcome.step.object).name) + ": written"
                         : outcome.text);
            return signals.asked_to_stop();
        });
}

Status finish(Session& session, Task& task, const Report& report) {
    const auto& out = session.options.out;
    if (out)
        write_file(*out, state_json({"snapshot", Status::done},
                                    task.kernel().read({.ports = {}, .objects = every_object()})));
    if (session.options.output == Output::json)
        session.out << report_json({session.command, report.status}, report);
    return report.status;
}

}  // namespace

Status apply(Session& session) {
    const bool text = session.options.output == Output::text;
    if (!session.options.yes && !session.ask)
        throw Error(Status::usage, "apply: --yes is missing, and there is no terminal to ask on");
    Task task(session);
    task.look();
    const core::Plan& plan = task.plan();
    if (satisfied(plan)) {
        if (text) session.out << findings_text(plan.findings, session.style) << "nothing changed\n";
        return finish(session, task, unwritten(plan, Status::done));
    }
    if (text) session.out << plan_text(plan, session.style) << std::flush;
    // What could not be read may be root's to read.
    const bool unread = std::ranges::any_of(plan.findings, [](const core::Finding& finding) {
        return finding.level == core::Finding::Level::unknown;
    });
    if (unread) require_privilege(session);
    if (!feasible(plan) || plan.steps.empty())
        return finish(session, task, unwritten(plan, Status::failed));
    if (!may_write(session, plan)) {
        if (text) session.out << "nothing changed\n";
        return finish(session, task, unwritten(plan, Status::failed));
    }
    const Report report = write(task);
    if (text) session.out << report_text(report, session.style);
    return finish(session, task, report);
}

}  // namespace cli

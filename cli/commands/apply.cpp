// SPDX-License-Identifier: Apache-2.0
#include "core/plan/apply.hpp"

#include <algorithm>
#include <array>

#include "cli/command.hpp"
#include "cli/confirm/guard.hpp"
#include "cli/confirm/guard_probe.hpp"
#include "cli/files/pending.hpp"
#include "cli/log.hpp"
#include "cli/run/run.hpp"
#include "cli/run/task.hpp"
#include "cli/run/written.hpp"
#include "cli/views/json.hpp"
#include "cli/views/text.hpp"

namespace cli {
namespace {

using core::Error;
using core::Report;
using core::Status;

constexpr OptionRow kPlanFile{.name = "--plan",
                              .value = "FILE",
                              .help = "Apply the plan that rocectl plan --out wrote to FILE",
                              .reads_input = true,
                              .excludes = "PROFILE --vars --set --port",
                              .take = store<&Options::plan_file>};
constexpr OptionRow kConfirm{.name = "--confirm",
                             .value = "DURATION",
                             .help = "Go back unless rocectl confirm comes within DURATION",
                             .excludes = "--state",
                             .take = store<&Options::confirm>};
constexpr OptionRow kStateOut{.name = "--out",
                              .value = "FILE",
                              .help = "With --state: write the state that results to FILE",
                              .needs = "--state",
                              .take = store<&Options::out>};
constexpr std::array kApplyOptions = {&option::yes,
                                      &kPlanFile,
                                      &option::allow,
                                      &option::take,
                                      &kConfirm,
                                      &option::probe,
                                      &option::state,
                                      &kStateOut,
                                      &option::set,
                                      &option::vars,
                                      &option::trust_files,
                                      &option::wait_for_links,
                                      &option::settings_only,
                                      &option::lock_timeout,
                                      &option::time_limit,
                                      &option::output,
                                      &option::only_port};

std::string apply_misuse(const Options& options) {
    return options.operands.empty() && !options.plan_file ? "PROFILE is missing" : "";
}

Report unwritten(const core::Plan& plan, Status status) {
    Report report;
    report.plan = plan;
    report.remaining = plan;
    report.status = status;
    return report;
}

/// Whether what was written goes back by itself.
bool is_guarded(const netlink::Root& root) {
    try {
        const auto pending = read_pending(root);
        return pending && pending->guarded;
    } catch (const Error&) {
        return false;
    }
}

Status finish(Session& session, Task& task, const Report& report) {
    if (session.options.out)
        session.save(state_json({"snapshot", Status::done},
                                task.kernel().read({.ports = {}, .objects = every_object()})));
    if (session.options.output == Output::json)
        session.out << report_json({session.command, report.status}, report);
    return report.status;
}

/// Nothing was written, so nothing is on its way unless somebody says so.
Status leave(Session& session, Task& task, const Journal* journal) {
    core::Waits waits = waits_of(session);
    if (!session.options.wait) waits.wait_for_others = std::chrono::milliseconds(0);
    const Report report = leave_as_is(task.kernel(), task.desired_values(), task.plan(), waits);
    if (journal != nullptr && is_written(report.status))
        after_all([&] { complete_others(*journal, task.desired_values(), 0); });
    const bool quiet = session.options.is_quiet() && report.status == Status::done;
    if (session.options.output == Output::text && !quiet)
        session.out << unchanged_text(report, session.style);
    return finish(session, task, report);
}

}  // namespace

constinit const Command command::apply{
    .name = "apply",
    .operands = "PROFILE",
    .operands_max = 1,
    .input_operand = "PROFILE",
    .help = "Change what differs, verify it, and undo everything where that fails",
    .host = HostUse::writes,
    .plans = true,
    .options = kApplyOptions,
    .misuse = apply_misuse,
    .run = cli::apply};

Status apply(Session& session) {
    const bool quiet = session.options.is_quiet() && session.options.yes;
    const bool text = session.options.output == Output::text && !quiet;
    if (!session.options.yes && !session.ask)
        throw Error(Status::usage, "apply: --yes is missing, and there is no terminal to ask on");
    const auto lock = lock_for(session);
    const Journal journal = journal_for(session);
    if (lock) journal.check_open();
    Task task(session, Task::Purpose::write);
    task.read_and_plan();
    task.check_unchanged();
    if (lock) check_pending(session);
    if (lock) check_probes(session.options.probes);
    if (lock) task.keep_inventory(journal);
    const core::Plan& plan = task.plan();
    if (nothing_left(plan)) return leave(session, task, lock ? &journal : nullptr);
    if (text) session.out << plan_text(plan, session.style) << std::flush;
    // What could not be read may be root's to read.
    const bool unread = std::ranges::any_of(plan.findings, [](const core::Finding& finding) {
        return finding.level == core::Finding::Level::unknown;
    });
    if (unread) require_privilege(session);
    if (!feasible(plan) && quiet) session.out << plan_text(plan, session.style);
    if (!feasible(plan)) return finish(session, task, unwritten(plan, Status::failed));
    if (!may_write(session, plan, task.owners())) {
        if (text) session.out << "nothing changed\n";
        return finish(session, task, unwritten(plan, Status::failed));
    }
    const Report report = write_plan(session, task, journal, guard_of(session, lock.get()));
    if (text || (quiet && report.status != Status::done))
        session.out << report_text(report, session.style);
    const bool guarded = lock && session.options.confirm && is_guarded(session.options.root);
    if (text && is_written(report.status) && guarded)
        session.out << "goes back in " << session.options.confirm->count() / 1000
                    << " s unless confirmed: rocectl confirm\n";
    return finish(session, task, report);
}

}  // namespace cli

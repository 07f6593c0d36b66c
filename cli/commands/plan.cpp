// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/log.hpp"
#include "cli/run/task.hpp"
#include "cli/views/json.hpp"
#include "cli/views/junit.hpp"
#include "cli/views/markdown.hpp"
#include "cli/views/text.hpp"

namespace cli {
namespace {

constexpr std::array<std::string_view, 5> kPlanForms = {"text", "json", "junit", "commands",
                                                        "markdown"};
constexpr OptionRow kExitCode{.name = "--exit-code",
                              .help = "End with status 2 where something would change"};
constexpr OptionRow kPlanOut{.name = "--out",
                             .value = "FILE",
                             .help = "Write the plan to FILE, for rocectl apply --plan",
                             .take = store<&Options::out>};
constexpr OptionRow kPlanOutput{
    .name = "--output",
    .letter = "-o",
    .value = "FORM",
    .help =
        "Print text (default), json, junit, markdown, or commands: the ip, dcb, rdma and ethtool "
        "lines that would do the same",
    .take = store<&Options::output>,
    .words = kPlanForms};
constexpr std::array kPlanOptions = {
    &option::state,       &option::set,           &option::vars, &kExitCode,        &kPlanOut,
    &option::trust_files, &option::reading_limit, &kPlanOutput,  &option::only_port};

/// 1 for what no apply can reach or nobody can see, before 2 for what would change.
core::Status status_of(const core::Plan& plan, const Options& options) {
    if (!feasible(plan)) return core::Status::failed;
    return given_value(options, kExitCode) && !satisfied(plan) ? core::Status::differs
                                                               : core::Status::done;
}

std::string lines(const std::vector<std::string>& commands) {
    std::string out;
    for (const std::string& command : commands)
        out += command + '\n';
    return out;
}

std::vector<std::string> failures(const core::Plan& plan) {
    std::vector<std::string> out;
    for (const core::Finding& finding : plan.findings)
        if (finding.level != core::Finding::Level::note) out.push_back(line_of(finding));
    return out;
}

/// What the lines that an operator would type do not do, and apply does or says.
std::vector<std::string> left_out(const core::Plan& plan, const Style& style) {
    std::vector<std::string> out = core::unspelled(plan);
    for (std::string& line : finding_lines(plan, style))
        out.push_back(std::move(line));
    return out;
}

/// What cannot be applied is not saved to be applied.
void save(const Session& session, const Task& task) {
    if (!feasible(task.plan())) throw core::Error(core::Status::failed, failures(task.plan()));
    session.save(document({session.command, core::Status::done}, core::to_json(task.saved())));
}

}  // namespace

constinit const Command command::plan{
    .name = "plan",
    .operands = "PROFILE",
    .operand_required = true,
    .operands_max = 1,
    .input_operand = "PROFILE",
    .help = "Show what apply would change, why, and what it disturbs",
    .host = HostUse::reads,
    .plans = true,
    .options = kPlanOptions,
    .run = cli::plan};

core::Status plan(Session& session) {
    Task task(session, Task::Purpose::write);
    task.read_and_plan();
    const core::Status status = status_of(task.plan(), session.options);
    if (session.options.out) save(session, task);
    if (session.options.is_quiet() && satisfied(task.plan())) return status;
    switch (session.options.output) {
        case Output::json: session.out << plan_json({session.command, status}, task.plan()); break;
        case Output::junit:
            session.out << plan_junit({session.command, status}, task.profile_name(), task.plan(),
                                      task.desired_values());
            break;
        case Output::markdown:
            session.out << plan_markdown(task.profile_name(), task.plan(), session.style);
            break;
        case Output::commands:
            // Half of a plan is not for anybody's shell.
            if (!feasible(task.plan()))
                throw core::Error(core::Status::failed, failures(task.plan()));
            session.out << lines(core::commands(task.plan()));
            for (const std::string& line : left_out(task.plan(), session.style))
                log_warning("left out: " + line);
            break;
        default:
            session.out << plan_text(task.plan(), session.style);
            if (session.options.verbosity > 0)
                session.out << unmanaged_text(task.plan(), task.desired_values(), session.style);
            break;
    }
    return status;
}

}  // namespace cli

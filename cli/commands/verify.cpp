// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "cli/command.hpp"
#include "cli/files/library.hpp"
#include "cli/log.hpp"
#include "cli/run/accepted.hpp"
#include "cli/run/task.hpp"
#include "cli/views/json.hpp"
#include "cli/views/junit.hpp"
#include "cli/views/text.hpp"
#include "core/boot/judge.hpp"
#include "core/doctor/accepted.hpp"

namespace cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr OptionRow kWait{
    .name = "--wait",
    .value = "DURATION",
    .help = "Look again until all is as desired and ready, or DURATION is over",
    .take = store<&Options::wait>};
constexpr OptionRow kPersistent{
    .name = "--persistent",
    .help = "Tell too what would not be as desired after a reboot, by the file that says so"};
constexpr std::array kVerifyOptions = {
    &option::state,         &option::set,         &option::vars,          &kWait,
    &option::settings_only, &option::trust_files, &option::reading_limit, &option::output_or_junit,
    &kPersistent,           &option::only_port,   &option::firmware};

/// 2 for a difference that was seen, 1 where something could not be seen.
core::Status status_of(const core::Plan& plan) {
    if (satisfied(plan)) return core::Status::done;
    const bool seen =
        !plan.steps.empty() || std::ranges::any_of(plan.findings, [](const core::Finding& finding) {
            return finding.level == core::Finding::Level::failure;
        });
    return seen ? core::Status::differs : core::Status::failed;
}

/// Findings that are meant so, from the profile and this host's own file.
using Accepted = std::vector<core::AcceptedFinding>;

/// The plan with what is accepted of its findings.
core::Plan with_accepted(core::Plan plan, const Accepted& accepted,
                         const std::vector<core::NamedFabric>& fabrics) {
    core::accept(plan.findings, accepted, fabrics, today());
    return plan;
}

/// Looks again whenever something may have changed, and a last time when the time is over.
void look_until(Task& task, const Accepted& accepted, std::chrono::milliseconds time) {
    const Clock::time_point end = Clock::now() + time;
    for (;;) {
        task.read_and_plan();
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
        if (satisfied(with_accepted(task.plan(), accepted, task.desired_values().fabrics)) ||
            left.count() <= 0)
            return;
        log_info("waiting for " + std::to_string(left.count()) + " ms");
        if (!task.kernel().wait(task.scope(), left)) {
            task.read_and_plan();
            return;
        }
    }
}

/// The names that mean the profile, in a unit or here: the file, and its name where it lies in
/// /etc/rocectl.
core::boot::Asked asked_by(const Options& options) {
    namespace fs = std::filesystem;
    const std::string& called = options.operands.front();
    core::boot::Asked out{.names = {}, .own_variables = options.vars || !options.set.empty()};
    const bool is_file = is_file_name(called);
    std::error_code none;
    const fs::path own = fs::path("/etc/rocectl");
    fs::path path =
        is_file ? fs::absolute(called, none).lexically_normal() : own / (called + ".json");
    if (options.root.is_given() && is_file)
        if (fs::path below = path.lexically_relative(fs::absolute(options.root.folder(), none));
            !below.empty() && *below.begin() != "..")
            path = fs::path("/") / below;
    out.names.insert(path.string());
    if (path.parent_path() == own) out.names.insert(path.stem().string());
    return out;
}

/// The plan with what a reboot would change: as findings, so that status, text, JSON and JUnit go
/// by one value.
core::Plan with_boot(Task& task, const Options& options) {
    core::Plan plan = task.plan();
    const core::Scope beside = core::boot::scope_beside(task.desired_values());
    core::State state = plan.before;
    core::add_parts(state, task.kernel().read(beside), beside.objects);
    for (core::Finding& finding :
         core::boot::after_boot(task.desired_values(), state, asked_by(options)))
        plan.findings.push_back(std::move(finding));
    return plan;
}

}  // namespace

constinit const Command command::verify{.name = "verify",
                                        .operands = "PROFILE",
                                        .operand_required = true,
                                        .operands_max = 1,
                                        .input_operand = "PROFILE",
                                        .help = "Say what differs from the profile",
                                        .host = HostUse::reads,
                                        .asks_devices = true,
                                        .options = kVerifyOptions,
                                        .run = cli::verify};

core::Status verify(Session& session) {
    // Before the host is opened, which seals this process off from the file.
    Accepted accepted = read_accepted(session.options);
    Task task(session, Task::Purpose::check);
    accepted = with_accepted_by(std::move(accepted), task.profile(), task.variables());
    look_until(task, accepted, session.options.wait.value_or(std::chrono::milliseconds(0)));
    const core::Plan plan = with_accepted(
        given_value(session.options, kPersistent) ? with_boot(task, session.options) : task.plan(),
        accepted, task.desired_values().fabrics);
    const core::Status status = status_of(plan);
    if (session.options.is_quiet() && status == core::Status::done) return status;
    if (session.options.output == Output::json)
        session.out << verify_json({session.command, status}, plan, task.desired_values());
    else if (session.options.output == Output::junit)
        session.out << verify_junit({session.command, status}, task.profile_name(), plan,
                                    task.desired_values());
    else
        session.out << verify_text(plan, task.desired_values(), session.style);
    return status;
}

}  // namespace cli

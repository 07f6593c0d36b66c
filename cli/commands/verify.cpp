// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "cli/command.hpp"
#include "cli/log.hpp"
#include "cli/run/task.hpp"
#include "cli/views/json.hpp"
#include "cli/views/junit.hpp"
#include "cli/views/text.hpp"

namespace cli {
namespace {

using Clock = std::chrono::steady_clock;

/// 2 for a difference that was seen, 1 where something could not be seen.
core::Status status_of(const core::Plan& plan) {
    if (satisfied(plan)) return core::Status::done;
    const bool seen =
        !plan.steps.empty() || std::ranges::any_of(plan.findings, [](const core::Finding& finding) {
            return finding.level == core::Finding::Level::failure;
        });
    return seen ? core::Status::differs : core::Status::failed;
}

/// Looks again whenever something may have changed, and a last time when the time is over.
void look_until(Task& task, std::chrono::milliseconds time) {
    const Clock::time_point end = Clock::now() + time;
    for (;;) {
        task.look();
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
        if (satisfied(task.plan()) || left.count() <= 0) return;
        log_info("waiting for " + std::to_string(left.count()) + " ms");
        if (!task.kernel().wait(task.scope(), left)) {
            task.look();
            return;
        }
    }
}

}  // namespace

core::Status verify(Session& session) {
    Task task(session, Task::Aim::check);
    look_until(task, session.options.wait.value_or(std::chrono::milliseconds(0)));
    const core::Status status = status_of(task.plan());
    if (session.is_quiet() && status == core::Status::done) return status;
    if (session.options.output == Output::json)
        session.out << verify_json({session.command, status}, task.plan(), task.wishes());
    else if (session.options.output == Output::junit)
        session.out << verify_junit({session.command, status}, task.profile_name(), task.plan(),
                                    task.wishes());
    else
        session.out << verify_text(task.plan(), task.wishes(), session.style);
    return status;
}

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#include <exception>

#include "core/model/finding_names.hpp"
#include "core/plan/await.hpp"
#include "core/plan/undoing.hpp"
#include "core/plan/write.hpp"
#include "core/undo/undo.hpp"

namespace core {
namespace {

/// What is not as it was, as findings.
std::vector<Finding> not_as_it_was(const Plan& remaining, const std::vector<Outcome>& undone) {
    std::vector<Finding> out;
    for (const Step& step : remaining.steps)
        for (const Change& change : step.changes)
            out.push_back({.id = findings::changed,
                           .port = step.port,
                           .key = std::string(change.field->key),
                           .element = change.element,
                           .text = "is " + (change.before ? text(*change.before) : "nothing") +
                                   ", was " + (change.after ? text(*change.after) : "nothing")});
    for (const Finding& finding : remaining.findings)
        if (finding.level != Finding::Level::note) out.push_back(finding);
    const std::vector<Finding> unseen = lost_unseen(undone);
    out.insert(out.end(), unseen.begin(), unseen.end());
    return out;
}

/// What worked before the way back and does not now; nobody states that the rest does.
std::vector<Finding> no_more_ready(Kernel& kernel, const DesiredState& undo_profile,
                                   const Plan& plan, const State& was, Terms terms,
                                   Recorder& recorder) {
    terms.wait_for_others = std::chrono::milliseconds(0);
    std::vector<Finding> out = await_ready(kernel, undo_profile, plan, was, terms, recorder).ours;
    for (Finding& finding : out)
        finding.level = Finding::Level::note;
    return out;
}

}  // namespace

Report undo_run(Kernel& kernel, const DesiredState& undo_profile, const Plan& plan,
                const Force& force, Recorder& recorder, const Terms& terms) {
    Report report;
    report.plan = plan;
    const State was = read_readiness(kernel, undo_profile, plan);
    Forbearing forbearing(recorder);
    forbearing.begin(plan, core::undo_profile(plan));
    const Scope scope = scope_of(undo_profile, plan.before);
    try {
        undo_steps(kernel, undo_profile, force, scope, forbearing, report.outcomes);
        const bool late = kernel.has_late_write();
        report.surprises = no_more_ready(kernel, undo_profile, plan, was, terms, forbearing);
        read_until(kernel, scope, longest_settle(plan), [&](const State& now) {
            report.remaining = make_plan(undo_profile, now);
            return satisfied(report.remaining);
        });
        report.left_changed = not_as_it_was(report.remaining, report.outcomes);
        if (late) report.left_changed.push_back(late_write());
    } catch (const std::exception& error) {
        report.left_changed.push_back(broken(error));
    }
    if (!forbearing.failure().empty()) report.surprises.push_back(unnoted(forbearing.failure()));
    report.status = report.left_changed.empty() ? Status::done : Status::left_changed;
    return report;
}

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#include "core/plan/apply.hpp"

#include <algorithm>
#include <exception>

#include "core/model/finding_names.hpp"
#include "core/plan/apply_run.hpp"
#include "core/plan/await.hpp"
#include "core/plan/judge.hpp"
#include "core/plan/readiness.hpp"
#include "core/plan/undoing.hpp"
#include "core/plan/write.hpp"

namespace core {
namespace {

/// The plan's prediction, with everything unknown that was unknown when it was made: values that
/// only a write made readable could not be predicted.
State what_was_foreseen(const Plan& plan) {
    State state = plan.predicted;
    for (Port& port : state.ports)
        if (const Port* before = find_port(plan.before, port.name))
            port.unknown.insert(before->unknown.begin(), before->unknown.end());
    return state;
}

/// Undoes the run. Judges by what reads back as before, even where the device refused a step of the
/// undo.
void undo(Kernel& kernel, const DesiredState& undo_profile, const Force& force, Recorder& recorder,
          Report& report) {
    const Scope scope = same_scope(report.plan);
    undo_steps(kernel, undo_profile, force, scope, recorder, report.undone);
    const bool late = kernel.has_late_write();
    read_until(kernel, scope, longest_settle(report.plan), [&](const State& now) {
        report.left_changed = compare(report.plan.before, now);
        return report.left_changed.empty();
    });
    for (const Finding& finding : lost_unseen(report.undone))
        report.left_changed.push_back(finding);
    if (late) report.left_changed.push_back(late_write());
    report.status = report.left_changed.empty() ? Status::brought_back : Status::left_changed;
}

/// After a stage: plans the rest from a fresh read and writes it. Reads until the rest is feasible,
/// because an RDMA device may take its time to appear.
bool write_rest(ApplyRun& run) {
    Report& report = run.report;
    if (!ends_stage(report.plan)) return true;
    const Plan stage = report.plan;
    run.desired_values = rest_of(run.desired_values, stage);
    Plan rest;
    read_until(run.kernel, same_scope(stage), longest_settle(stage), [&](const State& now) {
        rest = make_plan(run.desired_values, now);
        return feasible(rest) || run.recorder.stop();
    });
    if (is_stopped(run)) return false;
    report.remaining = rest;
    if (auto finding = costs_more(rest, stage)) {
        report.remaining.findings.push_back(std::move(*finding));
        return false;
    }
    // Of an old value recorded twice, the first one counts.
    run.recorder.learned(learned(rest, stage));
    report.plan.steps.insert(report.plan.steps.end(), rest.steps.begin(), rest.steps.end());
    report.plan.predicted = rest.predicted;
    run.foreseen = rest.before;
    return feasible(rest) && write_steps(run, stage.steps.size());
}

void append(std::vector<Finding>& findings, const std::vector<Finding>& more) {
    findings.insert(findings.end(), more.begin(), more.end());
}

/// Whether the run may end without undoing: no step is left and the run broke nothing. What was not
/// ready before, and what other programs have to set, stays as it is but makes the status
/// `differs`.
bool judge(Readiness readiness, const Terms& terms, Report& report) {
    if (terms.settings_only) {
        append(readiness.others, readiness.ours);
        readiness.ours.clear();
        for (Finding& finding : readiness.others)
            finding.level = Finding::Level::note;
    }
    const bool kept = nothing_left(report.remaining) && readiness.ours.empty();
    append(report.remaining.findings, readiness.ours);
    append(report.remaining.findings, readiness.others);
    if (kept && !satisfied(report.remaining)) report.status = Status::differs;
    return kept;
}

/// `left`: the desired values without the optional ones that the device refused.
bool verified(ApplyRun& run, const DesiredState& desired_values, const DesiredState& left,
              const Plan& plan, const State& was) {
    Report& report = run.report;
    Readiness readiness = await_ready(run.kernel, left, report.plan, was, run.terms, run.recorder);
    if (is_stopped(run)) return false;
    read_until(run.kernel, same_scope(report.plan), longest_settle(report.plan),
               [&](const State& now) {
                   report.remaining = make_plan(left, now);
                   return nothing_left(report.remaining);
               });
    report.tally = tally(desired_values, report.remaining.before);
    report.surprises = compare(what_was_foreseen(report.plan), report.remaining.before);
    // No desired value is concerned, or the difference would be in `remaining`.
    for (Finding& finding : report.surprises)
        if (finding.level == Finding::Level::failure) finding.level = Finding::Level::note;
    for (Finding& finding : not_put_back(left, plan, report.remaining.before))
        report.surprises.push_back(std::move(finding));
    return judge(std::move(readiness), run.terms, report);
}

/// What was written, for when nothing can be read any more.
std::vector<Finding> unreadable_now(const Report& report) {
    std::vector<Finding> out;
    for (const Outcome& outcome : report.outcomes)
        for (const Change& change : outcome.step.changes)
            out.push_back({.id = findings::unreadable,
                           .port = outcome.step.port,
                           .key = std::string(change.field->key),
                           .element = change.element,
                           .text = "was " + (change.before ? text(*change.before) : "nothing") +
                                   ", was to be " +
                                   (change.after ? text(*change.after) : "nothing") +
                                   ", and cannot be read now"});
    return out;
}

/// The desired values without the optional ones that the device refused.
DesiredState without(DesiredState desired_values, const std::vector<Finding>& refused_optional) {
    std::erase_if(desired_values.desired_values, [&](const Desired& desired) {
        return std::ranges::any_of(refused_optional, [&](const Finding& finding) {
            return finding.port == desired.port && finding.key == desired.field->key &&
                   finding.element == with_element(desired).element;
        });
    });
    return desired_values;
}

/// All of a run from its first write to verifying it.
bool write_and_verify(ApplyRun& run, const DesiredState& desired_values, const State& was) {
    const Plan plan = run.report.plan;
    return write_steps(run, 0) && write_rest(run) &&
           verified(run, desired_values, without(desired_values, run.refused_optional), plan, was);
}

}  // namespace

/// After the first write every exception, from a failed read to std::bad_alloc, must lead to the
/// undo. This is the only place besides main that catches everything the library throws.
Report apply(Kernel& kernel, const DesiredState& desired_values, const Plan& plan,
             Recorder& recorder, const Terms& terms) {
    Report report;
    report.plan = plan;
    ApplyRun run{.kernel = kernel,
                 .terms = terms,
                 .recorder = recorder,
                 .report = report,
                 .desired_values = desired_values,
                 .before = undo_profile(plan),
                 .foreseen = plan.before};
    const State was = read_readiness(kernel, desired_values, plan);
    recorder.begin(plan, run.before);
    std::vector<Finding> failures;
    try {
        const bool done = write_and_verify(run, desired_values, was);
        append(report.remaining.findings, run.refused_optional);
        if (done) return report;
    } catch (const std::exception& error) {
        failures.push_back(broken(error));
    }
    Forbearing forbearing(recorder);
    try {
        undo(kernel, run.before, run.force, forbearing, report);
    } catch (const std::exception& error) {
        report.status = Status::left_changed;
        report.left_changed = unreadable_now(report);
        report.left_changed.push_back(broken(error));
    }
    if (!forbearing.failure().empty()) failures.push_back(unnoted(forbearing.failure()));
    report.remaining.findings.insert(report.remaining.findings.end(), failures.begin(),
                                     failures.end());
    return report;
}

Report leave_as_is(Kernel& kernel, const DesiredState& desired_values, const Plan& plan,
                   const Terms& terms) {
    Report report;
    report.plan = report.remaining = plan;
    report.tally = tally(desired_values, plan.before);
    std::erase_if(report.remaining.findings, is_of_readiness);
    Recorder nobody;
    judge(await_ready(kernel, desired_values, plan, {}, terms, nobody), terms, report);
    const bool seen = std::ranges::any_of(report.remaining.findings, [](const Finding& finding) {
        return finding.level == Finding::Level::failure;
    });
    if (report.status == Status::differs && !seen) report.status = Status::failed;
    return report;
}

Report apply(Kernel& kernel, const DesiredState& desired_values, const Plan& plan) {
    Recorder nothing;
    return apply(kernel, desired_values, plan, nothing);
}

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#include "core/plan/apply.hpp"

#include <algorithm>
#include <exception>

#include "core/checks/rows.hpp"
#include "core/plan/await.hpp"
#include "core/plan/judge.hpp"
#include "core/plan/readiness.hpp"
#include "core/plan/write.hpp"
#include "core/undo/undoing.hpp"

namespace core {
namespace {

/// What the plan was made from and what its steps bring, to be read again.
Scope same_scope(const Plan& plan) {
    Scope scope{.ports = std::vector<std::string>{}, .objects = {}};
    for (const Port& port : plan.before.ports) {
        scope.ports->push_back(port.name);
        for (const Field& field : fields()) {
            const std::optional<Elements> elements = field.get(port);
            if (!elements) continue;
            scope.objects.insert(field.object);
            for (const auto& [element, value] : *elements)
                add_element(scope, field.object, element);
        }
        for (const auto& [object, names] : port.absent)
            for (const std::string& name : names)
                add_element(scope, object, name);
        for (const auto& [object, refusal] : port.refused)
            scope.objects.insert(object);
        scope.objects.insert(port.unknown.begin(), port.unknown.end());
    }
    for (const Step& step : plan.steps) {
        for (const Change& change : step.changes)
            add_element(scope, step.object, change.element);
        const Objects reach = reach_of(driver_of(*find_port(plan.before, step.port)), step.object);
        scope.objects.insert(reach.begin(), reach.end());
    }
    erase_on_demand(scope.objects);
    return scope;
}

/// The prediction without the values that nobody could know before a write made them readable.
State what_was_foreseen(const Plan& plan) {
    State state = plan.predicted;
    for (Port& port : state.ports)
        if (const Port* before = find_port(plan.before, port.name))
            port.unknown.insert(before->unknown.begin(), before->unknown.end());
    return state;
}

/// What reads as before is brought back, also where the device refused to be told so once more.
void undo(Kernel& kernel, const Wishes& past, const Force& force, Recorder& recorder,
          Report& report) {
    const Scope scope = same_scope(report.plan);
    undo_steps(kernel, past, force, scope, recorder, report.undone);
    read_until(kernel, scope, longest_settle(report.plan), [&](const State& now) {
        report.left_changed = compare(report.plan.before, now);
        return report.left_changed.empty();
    });
    for (const Finding& finding : lost_unseen(report.undone))
        report.left_changed.push_back(finding);
    report.status = report.left_changed.empty() ? Status::brought_back : Status::left_changed;
}

/// Writes the steps until one fails; what could be read only on the way is added to `before`. The
/// next port loses its link only when the one before has it again.
bool write_all(Kernel& kernel, std::size_t from, const Terms& terms, Recorder& recorder,
               Wishes& before, Force& force, Report& report) {
    for (std::size_t i = from; i < report.plan.steps.size(); ++i) {
        const Step& step = report.plan.steps[i];
        if (const auto gone = await_link(kernel, report.plan, i, terms.wait, recorder); gone) {
            report.remaining.findings.push_back(*gone);
            return false;
        }
        const std::vector<Wish> learned = learn(kernel, step);
        before.wishes.insert(before.wishes.end(), learned.begin(), learned.end());
        if (!learned.empty()) recorder.learned(learned);
        recorder.writing(step, false);
        force.insert({step.port, step.object});
        report.outcomes.push_back(write_step(kernel, step));
        const Outcome& outcome = report.outcomes.back();
        if (outcome.result == Outcome::Result::applied) force.erase({step.port, step.object});
        recorder.wrote(outcome, false);
        report.interrupted = recorder.stop();
        if (report.interrupted || outcome.result != Outcome::Result::applied) return false;
    }
    return true;
}

/// Plans the rest of what a stage left open from what is there after it, and writes that.
bool write_rest(Kernel& kernel, const Wishes& wishes, const Terms& terms, Recorder& recorder,
                Wishes& before, Force& force, Report& report) {
    if (!ends_stage(report.plan)) return true;
    const Plan stage = report.plan;
    const Plan rest = make_plan(rest_of(wishes, stage), kernel.read(same_scope(stage)));
    report.remaining = rest;
    if (auto finding = costs_more(rest, stage)) {
        report.remaining.findings.push_back(std::move(*finding));
        return false;
    }
    // Of what is recorded twice the older value counts.
    recorder.learned(past(rest).wishes);
    report.plan.steps.insert(report.plan.steps.end(), rest.steps.begin(), rest.steps.end());
    report.plan.predicted = rest.predicted;
    return feasible(rest) &&
           write_all(kernel, stage.steps.size(), terms, recorder, before, force, report);
}

void append(std::vector<Finding>& findings, const std::vector<Finding>& more) {
    findings.insert(findings.end(), more.begin(), more.end());
}

/// Whether all is as wished, or can be no more so by writing. What was not ready before, and what
/// somebody else has to set, is left as it is, and keeps the run from being green.
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

bool verified(Kernel& kernel, const Wishes& wishes, const Plan& plan, const State& was,
              const Terms& terms, Recorder& recorder, Report& report) {
    Readiness readiness = await_ready(kernel, wishes, report.plan, was, terms, recorder);
    read_until(kernel, same_scope(report.plan), longest_settle(report.plan), [&](const State& now) {
        report.remaining = make_plan(wishes, now);
        return nothing_left(report.remaining);
    });
    report.surprises = compare(what_was_foreseen(report.plan), report.remaining.before);
    // Nobody wished anything of it, or it would be among what remains.
    for (Finding& finding : report.surprises)
        if (finding.level == Finding::Level::failure) finding.level = Finding::Level::note;
    for (Finding& finding : not_put_back(wishes, plan, report.remaining.before))
        report.surprises.push_back(std::move(finding));
    return judge(std::move(readiness), terms, report);
}

/// What was written, where nothing can be read any more.
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

/// From the first write on.
bool write_and_verify(Kernel& kernel, const Wishes& wishes, const State& was, const Terms& terms,
                      Recorder& recorder, Wishes& before, Force& force, Report& report) {
    const Plan plan = report.plan;
    return write_all(kernel, 0, terms, recorder, before, force, report) &&
           write_rest(kernel, wishes, terms, recorder, before, force, report) &&
           verified(kernel, wishes, plan, was, terms, recorder, report);
}

}  // namespace

/// Whatever is thrown once writing began, by a read as much as by memory, must lead back: this
/// is the one place beside main that catches everything the library throws.
Report apply(Kernel& kernel, const Wishes& wishes, const Plan& plan, Recorder& recorder,
             const Terms& terms) {
    Report report;
    report.plan = plan;
    Wishes before = past(plan);
    const State was = read_readiness(kernel, wishes, plan);
    recorder.begin(plan, before);
    Force force;
    std::vector<Finding> failures;
    try {
        if (write_and_verify(kernel, wishes, was, terms, recorder, before, force, report))
            return report;
    } catch (const std::exception& error) {
        failures.push_back(broken(error));
    }
    Forbearing forbearing(recorder);
    try {
        undo(kernel, before, force, forbearing, report);
    } catch (const std::exception& error) {
        report.status = Status::left_changed;
        report.left_changed = unreadable_now(report);
        report.left_changed.push_back(broken(error));
    }
    if (!forbearing.failure().empty())
        failures.push_back(broken(Error(Status::failed, forbearing.failure())));
    report.remaining.findings.insert(report.remaining.findings.end(), failures.begin(),
                                     failures.end());
    return report;
}

Report leave_as_is(Kernel& kernel, const Wishes& wishes, const Plan& plan, const Terms& terms) {
    Report report;
    report.plan = report.remaining = plan;
    std::erase_if(report.remaining.findings, is_of_readiness);
    Recorder nobody;
    judge(await_ready(kernel, wishes, plan, {}, terms, nobody), terms, report);
    const bool seen = std::ranges::any_of(report.remaining.findings, [](const Finding& finding) {
        return finding.level == Finding::Level::failure;
    });
    if (report.status == Status::differs && !seen) report.status = Status::failed;
    return report;
}

Report apply(Kernel& kernel, const Wishes& wishes, const Plan& plan) {
    Recorder nothing;
    return apply(kernel, wishes, plan, nothing);
}

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#include "core/plan/apply_run.hpp"

#include <algorithm>

#include "core/model/finding_names.hpp"
#include "core/plan/await.hpp"
#include "core/plan/judge.hpp"
#include "core/plan/undoing.hpp"
#include "core/plan/write.hpp"

namespace core {
namespace {

/// Whether the change is made for the desired value: it sets that value, or the flag by which its
/// object becomes readable.
bool serves(const std::string& port, const Change& change, const Desired& desired) {
    if (desired.port != port) return false;
    const bool opens = row_of(desired.field->object).read.needs == change.field->key;
    return opens ||
           (desired.field == change.field && with_element(desired).element == change.element);
}

/// Whether only optional desired values need the change. Putting back what another write took away
/// is not optional.
bool is_optional(const DesiredState& desired_values, const std::string& port,
                 const Change& change) {
    bool any = false;
    for (const Desired& desired : desired_values.desired_values) {
        if (!serves(port, change, desired)) continue;
        if (!desired.optional || !desired.origin.other.empty()) return false;
        any = true;
    }
    return any;
}

DesiredState without(DesiredState desired_values, const Step& step) {
    std::erase_if(desired_values.desired_values, [&](const Desired& desired) {
        return std::ranges::any_of(
            step.changes, [&](const Change& change) { return serves(step.port, change, desired); });
    });
    return desired_values;
}

bool is_known(const std::vector<Desired>& desired_values, const Desired& desired) {
    return std::ranges::any_of(desired_values, [&](const Desired& other) {
        return other.port == desired.port &&
               same_element(with_element(other), with_element(desired));
    });
}

/// Adds, as optional desired values, the list elements that the steps from `from` on were to write
/// but no desired value covers: what they would have put back.
void add_kept(const std::vector<Step>& steps, std::size_t from, DesiredState& desired_values) {
    for (std::size_t i = from; i < steps.size(); ++i) {
        for (const Change& change : steps[i].changes) {
            Desired desired{.port = steps[i].port,
                            .field = change.field,
                            .element = change.element,
                            .value = change.after,
                            .origin = change.origin,
                            .optional = true};
            const bool list = change.field->shape.kind == Shape::Kind::items;
            if (list && change.after && !is_known(desired_values.desired_values, desired))
                desired_values.desired_values.push_back(std::move(desired));
        }
    }
}

/// After a refused step, which may have been written in part: restores its object as it was before
/// the step. False where that fails.
bool bring_back(ApplyRun& run, const Step& step, const std::vector<Desired>& learned) {
    if (learned.empty() && std::ranges::any_of(step.changes, &Change::before_unknown)) return false;
    Plan alone{
        .ports = {step.port}, .steps = {step}, .before = run.foreseen, .predicted = run.foreseen};
    static_cast<void>(play(alone.predicted, step));
    DesiredState old = undo_profile(alone);
    old.desired_values.insert(old.desired_values.end(), learned.begin(), learned.end());
    const Scope scope = same_scope(run.report.plan);
    undo_steps(run.kernel, old, {{step.port, step.object}}, scope, run.recorder, run.report.undone);
    bool back = false;
    read_until(run.kernel, scope, longest_settle(alone), [&](const State& now) {
        back = satisfied(make_plan(old, now));
        return back;
    });
    return back;
}

/// Plans what is left from a fresh read and continues with it.
bool plan_rest(ApplyRun& run, std::size_t at) {
    Plan& plan = run.report.plan;
    DesiredState desired_values = run.desired_values;
    add_kept(plan.steps, at + 1, desired_values);
    const Plan rest = make_plan(desired_values, run.kernel.read(same_scope(plan)));
    run.report.remaining = rest;
    if (auto finding = costs_more(rest, plan)) {
        run.report.remaining.findings.push_back(std::move(*finding));
        return false;
    }
    // Of an old value recorded twice, the first one counts.
    const std::vector<Desired> old = undo_profile(rest).desired_values;
    run.recorder.learned(old);
    for (const Desired& desired : old)
        if (!is_known(run.before.desired_values, desired))
            run.before.desired_values.push_back(desired);
    plan.steps.resize(at);
    plan.steps.insert(plan.steps.end(), rest.steps.begin(), rest.steps.end());
    plan.predicted = rest.predicted;
    run.foreseen = rest.before;
    return feasible(rest);
}

void note_refused_optional(ApplyRun& run, const Outcome& outcome) {
    for (const Desired& desired : run.desired_values.desired_values) {
        const auto its_own = [&](const Change& change) {
            return serves(outcome.step.port, change, desired);
        };
        if (std::ranges::none_of(outcome.step.changes, its_own)) continue;
        Finding finding = finding_about(with_element(desired), findings::forgone);
        finding.cause = reason_of(outcome);
        finding.text = finding.cause + "; it is optional, and was brought back";
        run.refused_optional.push_back(std::move(finding));
    }
}

/// Handles a failed step that only optional values need: restores its object, then splits the step
/// or drops it. False where a required value needs it, or restoring fails.
bool give_way(ApplyRun& run, std::size_t at, const std::vector<Desired>& learned) {
    const Step step = run.report.plan.steps[at];
    const std::vector<Step> parts = optional_parts(run.desired_values, step);
    if (parts.empty() || run.kernel.has_late_write() || !bring_back(run, step, learned))
        return false;
    run.force.erase({step.port, step.object});
    Outcome& outcome = run.report.outcomes.back();
    outcome.optional = true;
    if (parts.size() > 1) {
        std::vector<Step>& steps = run.report.plan.steps;
        const auto place = steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(at));
        steps.insert(place, parts.begin(), parts.end());
        return true;
    }
    note_refused_optional(run, outcome);
    run.desired_values = without(std::move(run.desired_values), step);
    return plan_rest(run, at);
}

/// Writes one step. `learned` receives the old values that were unreadable when the plan was made.
Outcome::Result write_next(ApplyRun& run, const Step& step, std::vector<Desired>& learned) {
    learned = learn(run.kernel, step);
    run.before.desired_values.insert(run.before.desired_values.end(), learned.begin(),
                                     learned.end());
    if (!learned.empty()) run.recorder.learned(learned);
    run.recorder.writing(step, false);
    run.force.insert({step.port, step.object});
    run.report.outcomes.push_back(write_step(run.kernel, step));
    const Outcome& outcome = run.report.outcomes.back();
    if (outcome.result == Outcome::Result::applied) {
        run.force.erase({step.port, step.object});
        static_cast<void>(play(run.foreseen, step));
    }
    run.recorder.wrote(outcome, false);
    return outcome.result;
}

}  // namespace

bool is_stopped(ApplyRun& run) {
    run.report.interrupted = run.recorder.stop();
    return run.report.interrupted;
}

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

std::vector<Step> optional_parts(const DesiredState& desired_values, const Step& step) {
    std::vector<Step> out;
    Step needed = step;
    needed.changes.clear();
    for (const Change& change : step.changes) {
        if (!is_optional(desired_values, step.port, change)) {
            needed.changes.push_back(change);
            continue;
        }
        out.push_back(step);
        out.back().changes = {change};
    }
    if (!out.empty() && !needed.changes.empty()) out.insert(out.begin(), std::move(needed));
    return out;
}

/// Waits before each step that takes a link down, so that only one port is without link at a time.
bool write_steps(ApplyRun& run, std::size_t from) {
    for (std::size_t i = from; i < run.report.plan.steps.size();) {
        const Plan& plan = run.report.plan;
        auto gone = await_link(run.kernel, plan, i, run.foreseen, run.terms.wait, run.recorder);
        if (is_stopped(run)) return false;
        if (gone) {
            run.report.remaining.findings.push_back(std::move(*gone));
            return false;
        }
        const Step step = plan.steps[i];
        std::vector<Desired> learned;
        const Outcome::Result result = write_next(run, step, learned);
        if (is_stopped(run)) return false;
        if (result == Outcome::Result::applied)
            ++i;
        else if (!give_way(run, i, learned))
            return false;
    }
    return true;
}

}  // namespace core

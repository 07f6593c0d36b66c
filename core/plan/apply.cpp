// SPDX-License-Identifier: Apache-2.0
#include "core/plan/apply.hpp"

#include <algorithm>
#include <exception>
#include <string>
#include <vector>

#include "core/model/finding_names.hpp"
#include "core/plan/judge.hpp"
#include "core/plan/readiness.hpp"
#include "core/plan/undo.hpp"
#include "core/plan/write.hpp"

namespace core {
namespace {

/// The state of one apply between its first write and its last.
struct ApplyRun {
    Kernel& kernel;
    const Waits& waits;
    Recorder& recorder;
    Report& report;
    DesiredState desired_values;  ///< what is still to be applied
    /// The undo profile, with old values added that became readable only during the run.
    DesiredState before;
    State foreseen;  ///< the host as predicted before the next step
    DisturbedLinks links{};
    Force force{};
    /// Notes about optional values that the device refused.
    std::vector<Finding> refused_optional{};
};

/// Whether the recorder asks to stop. Notes the answer in the report.
bool is_stopped(ApplyRun& run) {
    run.report.interrupted = run.recorder.stop();
    return run.report.interrupted;
}

/// What to read after a write: all that the plan was made from and that its steps may change.
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

/// Splits a step into parts that can succeed separately: first all required changes together, then
/// each optional change alone. Empty where no change is optional.
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

/// Writes the plan's steps from number `from` on. False where a step failed that a required value
/// needs, a link did not come back, or the recorder stopped the run. A failed step that only
/// optional values need is undone by itself, and the rest is planned again without them. Waits
/// before each step that takes a link down, so that only one port is without link at a time.
bool write_steps(ApplyRun& run, std::size_t from) {
    for (std::size_t i = from; i < run.report.plan.steps.size();) {
        const Plan& plan = run.report.plan;
        auto gone =
            await_link(run.kernel, plan, i, run.foreseen, run.waits.wait, run.recorder, run.links);
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
/// undo. A port that was replaced meanwhile is left alone.
void undo(Kernel& kernel, const DesiredState& undo_profile, const Force& force, Recorder& recorder,
          Report& report) {
    const Scope scope = same_scope(report.plan);
    Undo back{.undo_profile = undo_profile,
              .force = force,
              .subjects = subjects_of(report.plan, undo_profile)};
    find_again(back, kernel.read(subjects_scope()));
    undo_steps(kernel, back.undo_profile, back.force, scope, recorder, report.undone);
    const bool late = kernel.has_late_write();
    read_until(kernel, scope, longest_settle(report.plan), [&](const State& now) {
        report.left_changed = compare(report.plan.before, now);
        return report.left_changed.empty();
    });
    for (const Finding& finding : back.undo_profile.findings)
        if (finding.id == findings::other_port) report.left_changed.push_back(finding);
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

/// Whether ports are missing that the profile lets be missing. Others are an error, but for a run
/// of one port.
bool misses_ports(const DesiredState& desired_values) {
    return std::ranges::any_of(desired_values.missing, &MissingPorts::allowed);
}

/// Whether the run may end without undoing: no step is left and the run broke nothing. What was not
/// ready before, and what other programs have to set, stays as it is but makes the status
/// `differs`.
bool judge(Readiness readiness, const DesiredState& desired_values, const Waits& waits,
           Report& report) {
    if (waits.settings_only) {
        append(readiness.others, readiness.ours);
        readiness.ours.clear();
        for (Finding& finding : readiness.others)
            finding.level = Finding::Level::note;
    }
    const bool kept = nothing_left(report.remaining) && readiness.ours.empty();
    append(report.remaining.findings, readiness.ours);
    append(report.remaining.findings, readiness.others);
    if (kept && (!satisfied(report.remaining) || misses_ports(desired_values)))
        report.status = Status::differs;
    return kept;
}

/// `left`: the desired values without the optional ones that the device refused.
bool verified(ApplyRun& run, const DesiredState& desired_values, const DesiredState& left,
              const Plan& plan, const State& was) {
    Report& report = run.report;
    Readiness readiness = await_ready(run.kernel, left, report.plan, was, run.waits, run.recorder);
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
    for (Finding& finding : lost_by_stage(left, plan, report.remaining.before))
        report.surprises.push_back(std::move(finding));
    return judge(std::move(readiness), desired_values, run.waits, report);
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
             Recorder& recorder, const Waits& waits) {
    Report report;
    report.plan = plan;
    ApplyRun run{.kernel = kernel,
                 .waits = waits,
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
                   const Waits& waits) {
    Report report;
    report.plan = report.remaining = plan;
    report.tally = tally(desired_values, plan.before);
    std::erase_if(report.remaining.findings, is_of_readiness);
    Recorder nobody;
    judge(await_ready(kernel, desired_values, plan, {}, waits, nobody), desired_values, waits,
          report);
    const bool seen = std::ranges::any_of(report.remaining.findings, [](const Finding& finding) {
        return finding.level == Finding::Level::failure;
    });
    if (report.status == Status::differs && !seen && !misses_ports(desired_values))
        report.status = Status::failed;
    return report;
}

Report apply(Kernel& kernel, const DesiredState& desired_values, const Plan& plan) {
    Recorder nothing;
    return apply(kernel, desired_values, plan, nothing);
}

namespace {

/// A field's whole value as text: `{26: 3, 48: 6}` for a collection.
std::string whole_text(const Port& port, const Field& field) {
    const Elements elements = field.get(port).value_or(Elements{});
    if (!is_collection(field.shape))
        return elements.empty() ? "nothing" : text(elements.begin()->second);
    std::string out;
    for (const auto& [element, value] : elements) {
        if (made_by_kernel(port, field, element)) continue;
        if (!out.empty()) out += ", ";
        if (is_keyed(field.shape)) out += element + ": ";
        out += text(value);
    }
    return "{" + out + "}";
}

/// Whether elements were only added, for objects whose elements come with modules: a module stays
/// loaded while others need it, and nobody wrote what it brought.
bool only_came(const Field& field, const Port& old, const Port& now) {
    if (row_of(field.object).lifecycle.with_module == nullptr) return false;
    const Elements is = field.get(now).value_or(Elements{});
    const Elements was = field.get(old).value_or(Elements{});
    return std::ranges::all_of(was, [&](const auto& element) {
        const auto found = is.find(element.first);
        return found != is.end() && found->second == element.second;
    });
}

}  // namespace

std::vector<Finding> compare(const State& before, const State& after) {
    std::vector<Finding> out;
    for (const Port& old : before.ports) {
        const Port* now = find_port(after, old.name);
        if (now == nullptr) {
            out.push_back({.id = findings::gone, .port = old.name, .text = "the port is gone"});
            continue;
        }
        for (const std::string& key : differences(old, *now)) {
            const Field& field = *find_field(key);
            if (only_came(field, old, *now)) continue;
            const bool readable = !old.unknown.contains(field.object) &&
                                  !old.refused.contains(field.object) && field.get(old).has_value();
            if (!readable || !field.get(*now)) {
                if (!readable) continue;
                out.push_back({.id = findings::unreadable,
                               .port = old.name,
                               .key = key,
                               .text = "can no longer be read"});
                continue;
            }
            out.push_back(
                {.id = findings::changed,
                 .port = old.name,
                 .key = key,
                 .text = "was " + whole_text(old, field) + ", is " + whole_text(*now, field)});
        }
    }
    return out;
}

}  // namespace core

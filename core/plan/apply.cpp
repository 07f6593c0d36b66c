// SPDX-License-Identifier: Apache-2.0
#include "core/plan/apply.hpp"

#include <algorithm>
#include <exception>

#include "core/plan/judge.hpp"

namespace core {
namespace {

using Clock = std::chrono::steady_clock;

Scope scope_of_step(const Step& step) {
    Objects objects = {Object::device, Object::link, step.object};
    const std::string_view needs = row_of(step.object).needs;
    if (!needs.empty()) objects.insert({find_field(needs)->object, Object::rdma_link});
    Scope scope{.ports = std::vector<std::string>{step.port}, .objects = std::move(objects)};
    for (const Change& change : step.changes)
        add_element(scope, step.object, change.element);
    return scope;
}

std::string asked(const Step& step) {
    std::string out;
    for (const Change& change : step.changes) {
        out += out.empty() ? "while setting " : ", ";
        out += std::string(change.field->key);
        if (!change.element.empty() && !change.after) out += " " + change.element + " absent";
        if (!change.element.empty() && is_keyed(change.field->shape) && change.after)
            out += " " + change.element;
        if (change.after) out += " to " + text(*change.after);
    }
    return out;
}

std::string subject(const Step& step) {
    return step.port + ": " + std::string(row_of(step.object).name) + ": ";
}

std::string kernel_words(const Refusal& refusal) {
    return refusal.code == 0 ? refusal.text
                             : refusal.text + " (" + std::to_string(refusal.code) + ")";
}

bool took(const Port& port, const Change& change) {
    if (port.unknown.contains(change.field->object)) return false;
    const Wish wish{.port = port.name,
                    .field = change.field,
                    .element = change.element,
                    .value = change.after,
                    .origin = change.origin};
    return holds(port, wish);
}

/// A field's whole value as one text: `{26: 3, 48: 6}` for a collection.
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

/// What a change should have stored and did not; empty when all is as asked.
std::string missing(const State& state, const Step& step) {
    const Port* port = find_port(state, step.port);
    if (port == nullptr) return "the port is gone";
    for (const Change& change : step.changes) {
        if (took(*port, change)) continue;
        if (const auto refused = port->refused.find(step.object); refused != port->refused.end())
            return kernel_words(refused->second) + " while reading back";
        const auto found = element_of(*port, *change.field, change.element);
        return "answered with success, but " + std::string(change.field->key) + " reads " +
               (found ? text(*found) : "nothing") + " and not " +
               (change.after ? text(*change.after) : "nothing");
    }
    return {};
}

/// Reads until it is as it should be, or the time has passed: by the clock, or by what the kernel
/// says that it waited (a state file has no clock).
template <typename AsItShouldBe>
void read_until(Kernel& kernel, const Scope& scope, std::chrono::milliseconds time,
                const AsItShouldBe& done) {
    using std::chrono::milliseconds;
    const auto deadline = Clock::now() + time;
    while (!done(kernel.read(scope))) {
        const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
        const auto some = std::min({time, left, milliseconds(100)});
        if (some.count() <= 0) return;
        if (!kernel.wait(scope, some)) time -= some;
    }
}

/// Reads the object back until it is as asked or its settle time has passed.
std::string settle(Kernel& kernel, const Step& step) {
    std::string reason;
    read_until(kernel, scope_of_step(step),
               std::chrono::milliseconds(row_of(step.object).settle_ms), [&](const State& now) {
                   reason = missing(now, step);
                   return reason.empty();
               });
    return reason;
}

Outcome take(Kernel& kernel, const Step& step) {
    Outcome outcome{.step = step};
    outcome.refusal = kernel.write(step);
    if (outcome.refusal) {
        outcome.result = Outcome::Result::refused;
        outcome.text = subject(step) + kernel_words(*outcome.refusal) + " " + asked(step);
        return outcome;
    }
    const std::string reason = settle(kernel, step);
    if (!reason.empty()) {
        outcome.result = Outcome::Result::not_stored;
        outcome.text = subject(step) + reason + " " + asked(step);
    }
    return outcome;
}

/// Adds the old values that could be read only now, before their own write.
void learn(Kernel& kernel, const Step& step, Wishes& past) {
    const bool unknown = std::ranges::any_of(step.changes, &Change::before_unknown);
    if (!unknown) return;
    const State now = kernel.read(scope_of_step(step));
    const Port* port = find_port(now, step.port);
    if (port == nullptr || port->unknown.contains(step.object)) return;
    for (const Field& field : fields()) {
        if (field.object != step.object || !is_restored(field)) continue;
        for (const auto& [element, value] : field.get(*port).value_or(Elements{}))
            past.wishes.push_back({.port = step.port,
                                   .field = &field,
                                   .element = element,
                                   .value = value,
                                   .origin = {.other = "as it was"}});
    }
}

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
    scope.objects.erase(Object::rdma_port);  // facts; reading them loads libibverbs
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

/// The longest time that a write of the plan may take to show, or may disturb what another one
/// stored, as one that costs the link does.
std::chrono::milliseconds longest_settle(const Plan& plan) {
    unsigned longest = 0;
    for (const Step& step : plan.steps)
        longest = std::max(longest, row_of(step.object).settle_ms);
    return std::chrono::milliseconds(longest);
}

/// The way back: plans the past from wherever the host is now, twice, since a refused step of the
/// first try may be accepted once the others are done; once more where a stage ended on the way.
void go_back(Kernel& kernel, const Wishes& past, const Force& force, const Scope& scope,
             Report& report) {
    Force still = force;
    int rounds = 2;
    for (int round = 0; round < rounds; ++round) {
        const Plan back = make_plan(past, kernel.read(scope), still);
        if (back.steps.empty()) return;
        if (ends_stage(back)) rounds = 3;
        for (const Step& step : back.steps) {
            report.undone.push_back(take(kernel, step));
            if (report.undone.back().result == Outcome::Result::applied)
                still.erase({step.port, step.object});
        }
    }
}

/// Values that cannot be read any more, and whose way back failed: nobody can say what they are.
std::vector<Finding> lost_unseen(const std::vector<Outcome>& undone) {
    std::vector<Finding> out;
    for (const Outcome& outcome : undone) {
        const bool restored = std::ranges::any_of(undone, [&](const Outcome& other) {
            return other.step.port == outcome.step.port &&
                   other.step.object == outcome.step.object &&
                   other.result == Outcome::Result::applied;
        });
        const bool told = std::ranges::any_of(out, [&](const Finding& other) {
            return other.port == outcome.step.port && other.key == row_of(outcome.step.object).name;
        });
        if (restored || told || row_of(outcome.step.object).needs.empty()) continue;
        out.push_back({.level = Finding::Level::unknown,
                       .id = "not-restored",
                       .port = outcome.step.port,
                       .key = std::string(row_of(outcome.step.object).name),
                       .text = outcome.text});
    }
    return out;
}

/// What reads as before is brought back, also where the device refused to be told so once more.
void undo(Kernel& kernel, const Wishes& past, const Force& force, Report& report) {
    const Scope scope = same_scope(report.plan);
    go_back(kernel, past, force, scope, report);
    read_until(kernel, scope, longest_settle(report.plan), [&](const State& now) {
        report.left_changed = compare(report.plan.before, now);
        return report.left_changed.empty();
    });
    for (const Finding& finding : lost_unseen(report.undone))
        report.left_changed.push_back(finding);
    report.status = report.left_changed.empty() ? Status::brought_back : Status::left_changed;
}

}  // namespace

std::vector<Finding> compare(const State& before, const State& after) {
    std::vector<Finding> out;
    for (const Port& old : before.ports) {
        const Port* now = find_port(after, old.name);
        if (now == nullptr) {
            out.push_back({.level = Finding::Level::failure,
                           .id = "gone",
                           .port = old.name,
                           .text = "the port is gone"});
            continue;
        }
        for (const std::string& key : differences(old, *now)) {
            const Field& field = *find_field(key);
            const bool readable = !old.unknown.contains(field.object) &&
                                  !old.refused.contains(field.object) && field.get(old).has_value();
            if (!readable || !field.get(*now)) {
                if (!readable) continue;
                out.push_back({.level = Finding::Level::unknown,
                               .id = "unreadable",
                               .port = old.name,
                               .key = key,
                               .text = "can no longer be read"});
                continue;
            }
            out.push_back(
                {.level = Finding::Level::failure,
                 .id = "changed",
                 .port = old.name,
                 .key = key,
                 .text = "was " + whole_text(old, field) + ", is " + whole_text(*now, field)});
        }
    }
    return out;
}

namespace {

/// Writes the steps until one fails; what could be read only on the way is added to `before`.
bool write_all(Kernel& kernel, const std::vector<Step>& steps, const Progress& progress,
               Wishes& before, Force& force, Report& report) {
    for (const Step& step : steps) {
        learn(kernel, step, before);
        force.insert({step.port, step.object});
        report.outcomes.push_back(take(kernel, step));
        const Outcome& outcome = report.outcomes.back();
        if (outcome.result == Outcome::Result::applied) force.erase({step.port, step.object});
        report.interrupted = progress && progress(outcome);
        if (report.interrupted || outcome.result != Outcome::Result::applied) return false;
    }
    return true;
}

/// Plans the rest of what a stage left open from what is there after it, and writes that.
bool write_rest(Kernel& kernel, const Wishes& wishes, const Progress& progress, Wishes& before,
                Force& force, Report& report) {
    if (!ends_stage(report.plan)) return true;
    const Plan stage = report.plan;
    const Plan rest = make_plan(rest_of(wishes, stage), kernel.read(same_scope(stage)));
    report.remaining = rest;
    if (auto finding = costs_more(rest, stage)) {
        report.remaining.findings.push_back(std::move(*finding));
        return false;
    }
    report.plan.steps.insert(report.plan.steps.end(), rest.steps.begin(), rest.steps.end());
    report.plan.predicted = rest.predicted;
    return feasible(rest) && write_all(kernel, rest.steps, progress, before, force, report);
}

bool verified(Kernel& kernel, const Wishes& wishes, const Plan& plan, Report& report) {
    read_until(kernel, same_scope(report.plan), longest_settle(report.plan), [&](const State& now) {
        report.remaining = make_plan(wishes, now);
        return satisfied(report.remaining);
    });
    report.surprises = compare(what_was_foreseen(report.plan), report.remaining.before);
    // Nobody wished anything of it, or it would be among what remains.
    for (Finding& finding : report.surprises)
        if (finding.level == Finding::Level::failure) finding.level = Finding::Level::note;
    for (Finding& finding : not_put_back(wishes, plan, report.remaining.before))
        report.surprises.push_back(std::move(finding));
    return satisfied(report.remaining);
}

Finding broken(const std::exception& error) {
    return {.level = Finding::Level::failure, .id = "broken", .text = error.what()};
}

}  // namespace

/// Whatever is thrown once writing began, by a read as much as by memory, must lead back: this
/// is the one place beside main that catches everything the library throws.
Report apply(Kernel& kernel, const Wishes& wishes, const Plan& plan, const Progress& progress) {
    Report report;
    report.plan = plan;
    Wishes before = past(plan);
    Force force;
    bool done = false;
    std::vector<Finding> failures;
    try {
        done = write_all(kernel, plan.steps, progress, before, force, report) &&
               write_rest(kernel, wishes, progress, before, force, report) &&
               verified(kernel, wishes, plan, report);
    } catch (const std::exception& error) {
        failures.push_back(broken(error));
    }
    if (done) return report;
    try {
        undo(kernel, before, force, report);
    } catch (const std::exception& error) {
        report.status = Status::left_changed;
        report.left_changed.push_back(broken(error));
    }
    report.remaining.findings.insert(report.remaining.findings.end(), failures.begin(),
                                     failures.end());
    return report;
}

}  // namespace core

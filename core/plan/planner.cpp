// SPDX-License-Identifier: Apache-2.0
#include "core/plan/planner.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "core/model/finding_names.hpp"
#include "core/plan/judge.hpp"

namespace core {
namespace {

/// The most writes of one object of one port in a plan: the first write, a second after another
/// step undid it, and a third after side effects of the second.
constexpr unsigned kWritesPerObject = 3;

}  // namespace

Planner::Planner(const DesiredState& desired_values, State state, Force force)
    : desired_values_(desired_values.desired_values), force_(std::move(force)) {
    plan_.ports = desired_values.ports;
    plan_.findings = desired_values.findings;
    plan_.before = std::move(state);
    predicted_ = plan_.before;
    for (const std::string& port : plan_.ports) {
        ranks_.try_emplace(port, ranks_.size());
        stale_.insert(port);
    }
    for (std::size_t i = 0; i < desired_values_.size(); ++i)
        index_.add(desired_values_[i]);
    abandoned_.resize(desired_values_.size(), false);
    for (const Exact& exact : desired_values.exact)
        expand_exact(exact);
}

void Planner::add_desired(Desired desired) {
    desired_values_.add(std::move(desired));
    index_.add(desired_values_[desired_values_.size() - 1]);
    abandoned_.push_back(false);
}

/// Adds the desired absence of every element that is there and not desired.
void Planner::expand_exact(const Exact& exact) {
    const Port* port = find_port(predicted_, exact.port);
    if (port == nullptr) return;
    for (const auto& [element, value] : exact.field->get(*port).value_or(Elements{})) {
        if (exact.only && !(value == *exact.only)) continue;
        if (all_desired(exact.port, *exact.field, element)) continue;
        add_desired({.port = exact.port,
                     .field = exact.field,
                     .element = element,
                     .value = std::nullopt,
                     .origin = exact.origin});
    }
}

bool Planner::all_desired(const std::string& port, const Field& field,
                          const std::string& element) const {
    return index_.contains(port, field, element);
}

/// Whether the value was restored and then became unreadable, because the plan also turned off the
/// flag that its object needs. The host is then as before, and reading it would take a write.
bool Planner::written_then_hidden(const Port& port, const Desired& desired) const {
    const std::string_view needs = row_of(desired.field->object).read.needs;
    const Object object = desired.field->object;
    // Without its kernel module the configfs directory is missing too.
    const bool hidden = port.unknown.contains(object) ||
                        (port.refused.contains(object) && opened(port, object) == false);
    if (needs.empty() || !hidden) return false;
    return std::ranges::any_of(index_.of(desired.port), [&](std::size_t i) {
        return desired_values_[i].field->key == needs && desired_values_[i].value == Value(false);
    });
}

bool Planner::forced(const Desired& desired) const {
    return !force_.empty() && force_.contains({desired.port, desired.field->object});
}

bool Planner::met(const Reading& now, std::size_t index) const {
    const Desired& desired = desired_values_[index];
    return !forced(desired) && (holds(now, desired) || written_then_hidden(now.port(), desired));
}

/// Which of the port's desired values are met, by position; null if the port has changed since it
/// was examined.
const std::vector<bool>* Planner::known_of(const std::string& port) const {
    const auto looked = examined_.find(port);
    return looked == examined_.end() || stale_.contains(port) ? nullptr : &looked->second.met;
}

/// Whether the step makes a met desired value unmet, or a reachable one unreachable.
bool Planner::harms(const Reading& now, const Reading& then, const Parts& changed,
                    Object object) const {
    const std::vector<std::size_t>& own = index_.of(now.port().name);
    const std::vector<bool>* known = known_of(now.port().name);
    for (std::size_t nth = 0; nth < own.size(); ++nth) {
        const Desired& desired = desired_values_[own[nth]];
        if (abandoned_[own[nth]] || forced(desired)) continue;
        const Object all_desired = desired.field->object;
        if (!is_in(changed, *desired.field) && depends_on_part_only(desired)) continue;
        const bool held =
            known != nullptr && nth < known->size() ? (*known)[nth] : met(now, own[nth]);
        if (held && !met(then, own[nth])) return true;
        const bool hidden =
            then.port().unknown.contains(all_desired) && !now.port().unknown.contains(all_desired);
        if (!held && hidden && reachable(now, desired) && all_desired != object) return true;
    }
    return false;
}

bool Planner::breaks_rule(const Port& port, const Step& step, const Port& then) const {
    const auto refuses = row_of(step.object).refuses;
    return refuses != nullptr && refuses(driver_of(port), port, then);
}

/// Plays the step if `care` allows it. Takes it back and returns false where it harms other desired
/// values or changes nothing.
bool Planner::try_take(Candidate& candidate, Care care) {
    const bool sees_others = row_of(candidate.step.object).sees_others;
    if (!sees_others) candidate.in_vain = care;
    const auto key = std::tuple(candidate.step.port, candidate.step.object, candidate.removal);
    if (taken_[key] >= kWritesPerObject) return false;
    const Port& port = *find_port(predicted_, candidate.step.port);
    const Port before = port;
    const Port then = target(before, candidate.step);
    if (care != Care::may_break_rule && breaks_rule(before, candidate.step, then)) return false;
    Played played = play(predicted_, candidate.step, then);
    if (played.refusal) {
        if (played.by_port) candidate.in_vain = care;
        return false;
    }
    Reading after = port;
    const Parts changed = changed_parts(before, port);
    const Object object = candidate.step.object;
    const auto lasts = [&](const Change& change) { return takes_effect(after, change); };
    const auto harmed = [&](const Port& other) {
        const Port& is = *find_port(predicted_, other.name);
        return harms(other, is, changed_parts(other, is), object);
    };
    bool worth = care != Care::careful || (!harms(before, after, changed, object) &&
                                           std::ranges::none_of(played.touched, harmed));
    if (worth) {
        const bool asked_for = force_.erase({port.name, object}) > 0;
        if (asked_for) stale_.insert(port.name);
        worth = std::ranges::any_of(candidate.step.changes, lasts) && (asked_for || changed.any());
    }
    if (!worth) {
        take_back(predicted_, before, std::move(played.touched));
        return false;
    }
    // From here on the candidate is used up: the port will be examined again.
    Step step = std::move(candidate.step);
    std::erase_if(step.changes, std::not_fn(lasts));
    if (care == Care::may_break_rule) report_rule(before, step, then);
    report_remark(before, step, then);
    step.irreversible = report_irreplaceable(before, after, changed);
    ++taken_[key];
    run_later(step.port, care == Care::careful);
    for (const Port& other : played.touched)
        run_later(other.name, care == Care::careful);
    if (row_of(step.object).names_ports) forget_kept(played.touched);
    if (ends_stage(before, step)) staged_.insert(step.port);
    const auto awaits = row_of(step.object).lifecycle.awaits_device;
    if (awaits != nullptr && !awaits(predicted_, port).empty()) awaiting_.insert(step.port);
    keep_what_was_lost(before, after, changed, step);
    plan_.steps.push_back(std::move(step));
    reading_ = std::move(after);
    return true;
}

/// Notes that a step changed the port. A harmless step left met desired values met.
void Planner::run_later(const std::string& port, bool harmless) {
    if (port == kHost) loaded_ = modules::loaded(plan_.before, predicted_);
    const bool fresh = stale_.insert(port).second;
    if (const auto looked = examined_.find(port); looked != examined_.end())
        looked->second.kept = harmless && fresh;
}

/// Reports the rule that the step breaks, when no order of steps keeps it.
void Planner::report_rule(const Port& port, const Step& step, const Port& then) {
    const ObjectRow& row = row_of(step.object);
    if (row.refuses == nullptr) return;
    if (const auto reason = row.refuses(driver_of(port), port, then))
        plan_.findings.push_back({.id = findings::rule,
                                  .port = port.name,
                                  .key = std::string(row.name),
                                  .text = *reason + "; the device takes the write all the same"});
}

void Planner::report_remark(const Port& port, const Step& step, const Port& then) {
    const ObjectRow& row = row_of(step.object);
    if (row.words.remarks == nullptr) return;
    if (auto remark = row.words.remarks(driver_of(port), predicted_.host, port, then))
        plan_.findings.push_back({.id = findings::remark,
                                  .port = port.name,
                                  .key = std::string(row.name),
                                  .text = std::move(*remark)});
}

bool Planner::take_with_care() {
    for (auto order = open_.begin(); order != open_.end();) {
        Candidate& candidate = waiting_.at(*order);
        complete(candidate);
        if (try_take(candidate, Care::careful)) return true;
        order = candidate.in_vain ? open_.erase(order) : std::next(order);
    }
    return false;
}

bool Planner::take_one() {
    if (take_with_care()) return true;
    for (const Care care : {Care::may_undo, Care::may_break_rule})
        for (auto& [order, candidate] : waiting_) {
            if (candidate.in_vain >= care) continue;
            complete(candidate);
            if (try_take(candidate, care)) return true;
        }
    return false;
}

/// The host counts as gone only if something of it is desired: otherwise it is not read.
void Planner::report_gone() {
    for (const std::string& name : plan_.ports) {
        if (find_port(predicted_, name) != nullptr) continue;
        if (name == kHost && index_.of(name).empty()) continue;
        plan_.findings.push_back({.id = findings::gone, .port = name, .text = "the port is gone"});
    }
}

Plan Planner::plan(bool to_first_step) {
    report_gone();
    leave_external();
    look_at_facts();
    while (true) {
        look_again();
        if (waiting_.empty()) break;
        if (!take_one()) give_up();
        if (to_first_step && !plan_.steps.empty()) return std::move(plan_);
    }
    for (const std::string& name : staged_)
        report_stage(name);
    for (const std::string& name : awaiting_)
        if (!staged_.contains(name)) report_awaited(name);
    report_modules();
    report_unmet();
    plan_.predicted = std::move(predicted_);
    return std::move(plan_);
}

Plan make_plan(const DesiredState& desired_values, const State& state, const Force& force) {
    return Planner(desired_values, state, force).plan();
}

Plan begun_plan(const DesiredState& desired_values, const State& state) {
    return Planner(desired_values, state, {}).plan(true);
}

}  // namespace core

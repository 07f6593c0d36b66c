// SPDX-License-Identifier: Apache-2.0
#include "core/plan/planner.hpp"

#include <algorithm>
#include <utility>

#include "core/checks/rows.hpp"
#include "core/plan/judge.hpp"

namespace core {
namespace {

/// How often one object of one port may be written in a plan: once, once more after another
/// step undid it, and once for what that brought.
constexpr unsigned kWritesPerObject = 3;

}  // namespace

Planner::Planner(const Wishes& wishes, const State& state, const Force& force)
    : wishes_(wishes.wishes), predicted_(state), force_(force) {
    plan_.ports = wishes.ports;
    plan_.findings = wishes.findings;
    plan_.before = state;
    for (Wish& wish : wishes_)
        wish = with_element(std::move(wish));
    for (const Exact& exact : wishes.exact)
        expand_exact(exact);
    abandoned_.resize(wishes_.size(), false);
}

/// Wishes the absence of every element that is there and that nobody wishes.
void Planner::expand_exact(const Exact& exact) {
    const Port* port = find_port(predicted_, exact.port);
    if (port == nullptr) return;
    for (const auto& [element, value] : exact.field->get(*port).value_or(Elements{})) {
        if (exact.only && !(value == *exact.only)) continue;
        if (wished(exact.port, *exact.field, element)) continue;
        wishes_.push_back({.port = exact.port,
                           .field = exact.field,
                           .element = element,
                           .value = std::nullopt,
                           .origin = exact.origin});
    }
}

bool Planner::wished(const std::string& port, const Field& field,
                     const std::string& element) const {
    return std::ranges::any_of(wishes_, [&](const Wish& wish) {
        return wish.port == port && wish.field == &field && wish.element == element;
    });
}

/// Restored, and then hidden again with the directory in which it could be read: the host is as
/// it was, and reading more would need a write.
bool Planner::written_then_hidden(const Port& port, const Wish& wish) const {
    const std::string_view needs = row_of(wish.field->object).needs;
    if (needs.empty() || !port.unknown.contains(wish.field->object)) return false;
    return std::ranges::any_of(wishes_, [&](const Wish& other) {
        return other.port == wish.port && other.field->key == needs && other.value == Value(false);
    });
}

bool Planner::forced(const Wish& wish) const {
    return force_.contains({wish.port, wish.field->object});
}

bool Planner::met(const Port& port, std::size_t index) const {
    const Wish& wish = wishes_[index];
    return !forced(wish) && (holds(port, wish) || written_then_hidden(port, wish));
}

/// Whether taking the step makes a wish unmet that is met, or one unreachable that is not.
bool Planner::harms(const Port& now, const Port& then, Object object) const {
    for (std::size_t i = 0; i < wishes_.size(); ++i) {
        const Wish& wish = wishes_[i];
        if (wish.port != now.name || abandoned_[i] || forced(wish)) continue;
        const bool was_met = met(now, i);
        if (was_met && !met(then, i)) return true;
        const Object wished = wish.field->object;
        const bool hidden = then.unknown.contains(wished) && !now.unknown.contains(wished);
        if (!was_met && hidden && reachable(now, wish) && wished != object) return true;
    }
    return false;
}

bool Planner::breaks_rule(const Port& port, const Step& step) const {
    const auto refuses = row_of(step.object).refuses;
    return refuses != nullptr && refuses(driver_of(port), port, target(port, step));
}

/// Plays the step where it is asked for; takes it back where it harms or does nothing.
bool Planner::try_take(const Candidate& candidate, Patience patience) {
    const auto key = std::tuple(candidate.step.port, candidate.step.object, candidate.removal);
    if (taken_[key] >= kWritesPerObject) return false;
    const Port before = *find_port(predicted_, candidate.step.port);
    if (patience != Patience::may_break_rule && breaks_rule(before, candidate.step)) return false;
    Played played = play(predicted_, candidate.step);
    if (played.refusal) return false;
    const Port& after = *find_port(predicted_, candidate.step.port);
    Step step = candidate.step;
    std::erase_if(step.changes, [&](const Change& change) { return !takes_effect(after, change); });
    const auto harmed = [&](const Port& other) {
        return harms(other, *find_port(predicted_, other.name), step.object);
    };
    bool worth = patience != Patience::careful || (!harms(before, after, step.object) &&
                                                   std::ranges::none_of(played.touched, harmed));
    if (worth) {
        const bool asked_for = force_.erase({step.port, step.object}) > 0;
        if (asked_for) stale_.insert(step.port);
        worth = !step.changes.empty() && (asked_for || !(after == before));
    }
    if (!worth) {
        take_back(predicted_, before, std::move(played.touched));
        return false;
    }
    if (patience == Patience::may_break_rule) report_rule(before, step);
    report_remark(before, step);
    step.irreversible = report_irreplaceable(before, after);
    ++taken_[key];
    stale_.insert(step.port);
    for (const Port& other : played.touched)
        stale_.insert(other.name);
    if (ends_stage(before, step)) staged_.insert(step.port);
    plan_.steps.push_back(std::move(step));
    keep_what_was_lost(before, candidate.step);
    return true;
}

/// Says which rule a step breaks that no other order keeps.
void Planner::report_rule(const Port& port, const Step& step) {
    const ObjectRow& row = row_of(step.object);
    if (row.refuses == nullptr) return;
    if (const auto reason = row.refuses(driver_of(port), port, target(port, step)))
        plan_.findings.push_back({.id = findings::rule,
                                  .port = port.name,
                                  .key = std::string(row.name),
                                  .text = *reason + "; the device takes it all the same"});
}

void Planner::report_remark(const Port& port, const Step& step) {
    const ObjectRow& row = row_of(step.object);
    if (row.remarks == nullptr) return;
    if (auto remark = row.remarks(driver_of(port), predicted_.host, port, target(port, step)))
        plan_.findings.push_back({.id = findings::remark,
                                  .port = port.name,
                                  .key = std::string(row.name),
                                  .text = std::move(*remark)});
}

bool Planner::take_one(const std::vector<const Candidate*>& waiting) {
    for (const Patience patience :
         {Patience::careful, Patience::may_undo, Patience::may_break_rule})
        for (const Candidate* candidate : waiting)
            if (try_take(*candidate, patience)) return true;
    return false;
}

/// What a step takes away beside its own object, and nobody wished away, is put back: addresses
/// and routes of a port that the driver closes and opens.
void Planner::keep_what_was_lost(const Port& before, const Step& step) {
    const Port& now = *find_port(predicted_, step.port);
    for (const Field& field : fields()) {
        const bool list = field.shape.kind == Shape::Kind::items;
        if (field.use != Field::Use::setting || !list || field.object == step.object) continue;
        const std::optional<Elements> left = field.get(now);
        if (!left) continue;  // a port that goes keeps nothing
        for (const auto& [element, value] : field.get(before).value_or(Elements{})) {
            if (left->contains(element) || made_by_kernel(before, field, element) ||
                wished(step.port, field, element))
                continue;
            const auto goes_with = row_of(field.object).goes_with;
            const auto why =
                goes_with == nullptr ? std::nullopt : goes_with(step.object, before, now, value);
            if (why) {
                plan_.findings.push_back({.id = findings::goes_with_address,
                                          .port = step.port,
                                          .key = std::string(field.key),
                                          .element = element,
                                          .text = text(value) + ' ' + *why});
                continue;
            }
            wishes_.push_back(
                {.port = step.port,
                 .field = &field,
                 .element = element,
                 .value = value,
                 .origin = {.other = "kept: the change of " +
                                     std::string(row_of(step.object).name) + " takes it away"},
                 .optional = true});
            abandoned_.push_back(false);
        }
    }
}

/// Whether a step takes away what nobody can put back; each such thing is named.
bool Planner::report_irreplaceable(const Port& before, const Port& after) {
    bool any = false;
    for (const Field& field : fields()) {
        if (!field.irreplaceable) continue;
        for (const auto& [element, value] : field.get(before).value_or(Elements{})) {
            if (element_of(after, field, element)) continue;
            any = true;
            plan_.findings.push_back({.id = findings::irreplaceable,
                                      .port = before.name,
                                      .key = std::string(field.key),
                                      .element = element,
                                      .text = element + " goes, and rocectl cannot put it back"});
        }
    }
    return any;
}

/// The host itself is not read where nothing of it is wished.
void Planner::report_gone() {
    for (const std::string& name : plan_.ports) {
        if (find_port(predicted_, name) != nullptr) continue;
        const bool wished =
            std::ranges::any_of(wishes_, [&name](const Wish& wish) { return wish.port == name; });
        if (name == kHost && !wished) continue;
        plan_.findings.push_back({.id = findings::gone, .port = name, .text = "the port is gone"});
    }
}

Plan Planner::plan() {
    report_gone();
    leave_external();
    while (true) {
        const std::vector<const Candidate*> waiting = candidates();
        if (waiting.empty()) break;
        if (!take_one(waiting)) give_up(waiting);
    }
    for (const std::string& name : staged_)
        report_stage(name);
    report_unmet();
    plan_.predicted = predicted_;
    return std::move(plan_);
}

Plan make_plan(const Wishes& wishes, const State& state, const Force& force) {
    return Planner(wishes, state, force).plan();
}

}  // namespace core

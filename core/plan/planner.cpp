// SPDX-License-Identifier: Apache-2.0
#include "core/plan/planner.hpp"

#include <algorithm>

#include "core/plan/judge.hpp"

namespace core {
namespace {

/// How often one object of one port may be written in a plan: once, once more after another
/// step undid it, and once for what that brought.
constexpr unsigned kWritesPerObject = 3;

/// On ice the first DSCP entry rewrites ETS, so APP goes before it; removing the last one hides
/// what ETS and PFC were told before, to come back at the next write, so that goes after them.
bool goes_before_ets(const Port& port, const Step& step) {
    if (!driver_of(port).app_before_ets || step.object != Object::app) return false;
    const Port then = target(port, step);
    return then.app && std::ranges::any_of(then.app->entries, [](const AppEntry& entry) {
               return entry.selector == AppEntry::dscp;
           });
}

int rank_of(const Port& port, const Step& step, bool removal) {
    const int rank = goes_before_ets(port, step) ? static_cast<int>(Object::ets) * 2 - 1
                                                 : static_cast<int>(step.object) * 2;
    return removal ? -rank : rank;
}

std::size_t rank_in(const std::vector<std::string>& ports, const std::string& port) {
    return static_cast<std::size_t>(std::ranges::find(ports, port) - ports.begin());
}

/// Absence of an element of a list is a step of its own, so that it can go before or after the
/// additions; elsewhere the object's edits put additions and removals in order.
bool is_removal(const Wish& wish) {
    return !wish.value && (wish.field->shape.kind == Shape::Kind::items ||
                           wish.field->shape.kind == Shape::Kind::record);
}

/// A route goes with its source address, and cannot be put back without it.
bool lost_its_source(const Port& before, const Port& now, const Value& value) {
    const auto* record = std::get_if<Record>(&value);
    const auto source = record == nullptr ? Record::const_iterator{} : record->find("source");
    if (record == nullptr || source == record->end()) return false;
    const auto ip = parse_ip(std::get<std::string>(source->second));
    const auto holds_it = [&](const Port& port) {
        return ip && port.addresses &&
               std::ranges::find(*port.addresses, *ip, &Address::ip) != port.addresses->end();
    };
    return holds_it(before) && !holds_it(now);
}

}  // namespace

Planner::Planner(const Wishes& wishes, const State& state, const Force& force)
    : wishes_(wishes.wishes), predicted_(state), force_(force) {
    plan_.ports = wishes.ports;
    plan_.findings = wishes.findings;
    plan_.before = state;
    for (Wish& wish : wishes_)
        if (wish.value && wish.field->shape.kind == Shape::Kind::items)
            wish.element = identity(wish.field->shape, *wish.value);
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

bool Planner::met(const State& state, std::size_t index) const {
    const Wish& wish = wishes_[index];
    const Port* port = find_port(state, wish.port);
    if (port == nullptr) return true;  // reported where ports are matched
    return !forced(wish) && (holds(*port, wish) || written_then_hidden(*port, wish));
}

/// Adds the wish for what makes an object readable, once a port.
void Planner::need(const Wish& wish) {
    const std::string_view needs = row_of(wish.field->object).needs;
    if (needs.empty()) return;
    const Field* field = find_field(needs);
    if (wished(wish.port, *field, "")) return;
    Origin origin = wish.origin;
    origin.other = "needed for " + std::string(wish.field->key);
    wishes_.push_back({.port = wish.port,
                       .field = field,
                       .element = "",
                       .value = Value(true),
                       .origin = origin,
                       .optional = wish.optional});
    abandoned_.push_back(false);
}

/// The unmet wishes whose objects are there, grouped into steps, in the order of preference.
std::vector<Candidate> Planner::candidates() {
    std::map<std::tuple<std::string, Object, bool>, Candidate> steps;
    for (std::size_t i = 0; i < wishes_.size(); ++i) {
        const Wish wish = wishes_[i];
        if (abandoned_[i] || met(predicted_, i)) continue;
        const Port& port = *find_port(predicted_, wish.port);
        if (!reachable(port, wish)) continue;
        if (port.unknown.contains(wish.field->object)) {
            need(wish);
            if (!port.cm_directory || !*port.cm_directory) continue;
        }
        const bool removal = is_removal(wish);
        Candidate& candidate = steps[{wish.port, wish.field->object, removal}];
        candidate.step.port = wish.port;
        candidate.step.object = wish.field->object;
        candidate.removal = removal;
        candidate.port_rank = rank_in(plan_.ports, wish.port);
        candidate.wishes.push_back(i);
    }
    std::vector<Candidate> out;
    for (auto& [key, candidate] : steps) {
        fill(candidate);
        out.push_back(std::move(candidate));
    }
    std::ranges::stable_sort(out, {}, &Candidate::key);
    return out;
}

/// The changes of a step: its unmet wishes, and what else of the object would be written anyway.
void Planner::fill(Candidate& candidate) const {
    const Port& port = *find_port(predicted_, candidate.step.port);
    const bool unknown = port.unknown.contains(candidate.step.object);
    for (std::size_t i = 0; i < wishes_.size(); ++i) {
        const Wish& wish = wishes_[i];
        if (wish.port != port.name || wish.field->object != candidate.step.object) continue;
        if (is_removal(wish) != candidate.removal || abandoned_[i]) continue;
        const bool asked = std::ranges::find(candidate.wishes, i) != candidate.wishes.end();
        std::optional<Value> before = element_of(port, *wish.field, wish.element);
        std::optional<Value> after = wish.value;
        if (after) after = canonical(wish.field->shape, *after);
        if (!asked && (before == after || holds(port, wish)) && wish.field->same == nullptr)
            continue;
        if (!asked && before == after) continue;
        candidate.step.changes.push_back({.field = wish.field,
                                          .element = wish.element,
                                          .before = unknown ? std::nullopt : before,
                                          .after = after,
                                          .before_unknown = unknown,
                                          .origin = wish.origin});
    }
    std::set<std::string_view> keys;
    for (const Change& change : candidate.step.changes)
        keys.insert(change.field->key);
    candidate.step.disruption = disruption_of(port, candidate.step.object, keys);
    candidate.order = rank_of(port, candidate.step, candidate.removal);
}

/// Whether taking the step makes a wish unmet that is met, or one unreachable that is not.
bool Planner::harms(const State& trial, const Candidate& candidate) const {
    for (std::size_t i = 0; i < wishes_.size(); ++i) {
        const Wish& wish = wishes_[i];
        if (abandoned_[i] || forced(wish) || wish.port != candidate.step.port) continue;
        const Port* now = find_port(predicted_, wish.port);
        const Port* then = find_port(trial, wish.port);
        if (now == nullptr || then == nullptr) continue;
        const bool was_met = met(predicted_, i);
        if (was_met && !met(trial, i)) return true;
        const Object object = wish.field->object;
        const bool hidden = then->unknown.contains(object) && !now->unknown.contains(object);
        if (!was_met && hidden && reachable(*now, wish) && object != candidate.step.object)
            return true;
    }
    return false;
}

bool Planner::try_take(const Candidate& candidate, Patience patience) {
    const auto key = std::tuple(candidate.step.port, candidate.step.object, candidate.removal);
    if (taken_[key] >= kWritesPerObject) return false;
    const Port before = *find_port(predicted_, candidate.step.port);
    const ObjectRow& row = row_of(candidate.step.object);
    const Port then = target(before, candidate.step);
    if (row.refuses != nullptr) {
        const auto reason = row.refuses(driver_of(before), before, then);
        if (reason && patience != Patience::may_break_rule) return false;
        if (reason)
            plan_.findings.push_back({.level = Finding::Level::note,
                                      .id = "rule",
                                      .port = before.name,
                                      .key = std::string(row.name),
                                      .text = *reason + "; the device takes it all the same"});
    }
    State trial = predicted_;
    if (play(trial, candidate.step)) {
        if (patience == Patience::may_break_rule && row.refuses != nullptr &&
            row.refuses(driver_of(before), before, then))
            plan_.findings.pop_back();
        return false;
    }
    if (patience == Patience::careful && harms(trial, candidate)) return false;
    const Port& after = *find_port(trial, candidate.step.port);
    Step step = candidate.step;
    std::erase_if(step.changes, [&](const Change& change) { return !takes_effect(after, change); });
    const bool asked_for = force_.erase({step.port, step.object}) > 0;
    if (step.changes.empty() || (after == before && !asked_for)) return false;
    step.irreversible = report_irreplaceable(before, after);
    ++taken_[key];
    predicted_ = std::move(trial);
    plan_.steps.push_back(std::move(step));
    keep_what_was_lost(before, candidate.step);
    return true;
}

bool Planner::take_one(const std::vector<Candidate>& waiting) {
    for (const Patience patience :
         {Patience::careful, Patience::may_undo, Patience::may_break_rule})
        for (const Candidate& candidate : waiting)
            if (try_take(candidate, patience)) return true;
    return false;
}

/// What a step takes away beside its own object, and nobody wished away, is put back: addresses
/// and routes of a port that the driver closes and opens.
void Planner::keep_what_was_lost(const Port& before, const Step& step) {
    const Port& now = *find_port(predicted_, step.port);
    for (const Field& field : fields()) {
        const bool list = field.shape.kind == Shape::Kind::items;
        if (field.use != Field::Use::setting || !list || field.object == step.object) continue;
        for (const auto& [element, value] : field.get(before).value_or(Elements{})) {
            if (element_of(now, field, element) || made_by_kernel(before, field, element) ||
                wished(step.port, field, element))
                continue;
            if (step.object == Object::addresses && lost_its_source(before, now, value)) {
                plan_.findings.push_back({.level = Finding::Level::note,
                                          .id = "goes-with-address",
                                          .port = step.port,
                                          .key = std::string(field.key),
                                          .text = text(value) + " goes with its source address"});
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
            plan_.findings.push_back({.level = Finding::Level::note,
                                      .id = "irreplaceable",
                                      .port = before.name,
                                      .key = std::string(field.key),
                                      .text = element + " goes, and rocectl cannot put it back"});
        }
    }
    return any;
}

Plan Planner::plan() {
    for (const std::string& name : plan_.ports)
        if (find_port(predicted_, name) == nullptr)
            plan_.findings.push_back({.level = Finding::Level::failure,
                                      .id = "gone",
                                      .port = name,
                                      .text = "the port is gone"});
    while (true) {
        const std::vector<Candidate> waiting = candidates();
        if (waiting.empty()) break;
        if (!take_one(waiting)) give_up(waiting);
    }
    report_unmet();
    plan_.predicted = predicted_;
    return std::move(plan_);
}

Plan make_plan(const Wishes& wishes, const State& state, const Force& force) {
    return Planner(wishes, state, force).plan();
}

}  // namespace core

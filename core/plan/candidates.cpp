// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/plan/judge.hpp"
#include "core/plan/planner.hpp"

// The steps that could be taken next.

namespace core {
namespace {

int rank_of(const Port& port, const Step& step, bool removal) {
    const auto goes_before = row_of(step.object).goes_before;
    const std::optional<Object> other =
        goes_before == nullptr ? std::nullopt : goes_before(driver_of(port), target(port, step));
    const int rank = other ? static_cast<int>(*other) * 2 - 1 : static_cast<int>(step.object) * 2;
    return removal ? -rank : rank;
}

/// Objects of the host that come before any of a port.
Object first_of_ports() {
    const auto found = std::ranges::find_if(
        objects(), [](const ObjectRow* row) { return row->lives != Lives::host; });
    return (*found)->object;
}

/// What the profile states of the host first, then ports one after the other; what leads packets to
/// their routes comes after all of them, and goes before.
std::size_t rank_in(const std::vector<std::string>& ports, const Step& step, bool removal) {
    const std::string& port = step.port;
    if (port == kHost) return removal || step.object < first_of_ports() ? 0 : ports.size() + 1;
    return static_cast<std::size_t>(std::ranges::find(ports, port) - ports.begin()) + 1;
}

/// Absence of an element of a list is a step of its own, so that it can go before or after the
/// additions; elsewhere the object's edits put additions and removals in order.
bool is_removal(const Wish& wish) {
    return !wish.value && (wish.field->shape.kind == Shape::Kind::items ||
                           wish.field->shape.kind == Shape::Kind::record);
}

}  // namespace

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

/// The unmet wishes whose objects are there, grouped into steps. Only
/// the ports that a step changed (`stale_`) are looked at again.
std::vector<const Candidate*> Planner::candidates() {
    for (const std::string& port : stale_)
        waiting_.erase(port);
    stale_.clear();
    std::vector<const Candidate*> out;
    for (const std::string& port : plan_.ports) {
        const auto [waiting, missing] = waiting_.try_emplace(port);
        if (missing) waiting->second = candidates_of(port);
        for (const Candidate& candidate : waiting->second)
            out.push_back(&candidate);
    }
    std::ranges::stable_sort(out, {}, [](const Candidate* candidate) { return candidate->key(); });
    return out;
}

std::vector<Candidate> Planner::candidates_of(const std::string& name) {
    std::map<std::pair<Object, bool>, Candidate> steps;
    const Port* port = find_port(predicted_, name);
    if (port == nullptr || staged_.contains(name)) return {};
    for (std::size_t i = 0; i < wishes_.size(); ++i) {
        if (wishes_[i].port != name || abandoned_[i] || met(*port, i)) continue;
        const Wish wish = wishes_[i];
        if (!reachable(*port, wish) || row_of(wish.field->object).play == nullptr) continue;
        const bool needs = !row_of(wish.field->object).needs.empty();
        if (needs && port->unknown.contains(wish.field->object)) {
            need(wish);
            if (!opened(*port, wish.field->object).value_or(false)) continue;
        }
        const bool removal = is_removal(wish);
        Candidate& candidate = steps[{wish.field->object, removal}];
        candidate.step.port = wish.port;
        candidate.step.object = wish.field->object;
        candidate.removal = removal;
        candidate.port_rank = rank_in(plan_.ports, candidate.step, removal);
        candidate.wishes.push_back(i);
    }
    std::vector<Candidate> out;
    for (auto& [key, candidate] : steps) {
        fill(candidate);
        out.push_back(std::move(candidate));
    }
    return out;
}

/// The changes of a step: its unmet wishes, and what else of the object would be written anyway.
void Planner::fill(Candidate& candidate) const {
    const Port& port = *find_port(predicted_, candidate.step.port);
    const bool unknown = port.unknown.contains(candidate.step.object) ||
                         doubt_of(port, candidate.step.object) != Doubt::none;
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
        if (!asked && (before == after || !is_recorded(port, *wish.field, wish.element))) continue;
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
    candidate.step.disruption = disruption_in(predicted_, port, candidate.step.object, keys);
    candidate.order = rank_of(port, candidate.step, candidate.removal);
}

}  // namespace core

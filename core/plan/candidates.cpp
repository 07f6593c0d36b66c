// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "core/plan/judge.hpp"
#include "core/plan/planner.hpp"

// Which steps could be taken next.

namespace core {
namespace {

/// `other`: the object that the step must come before on this driver, against the order of the
/// list.
int rank_of(const Step& step, std::optional<Object> other, bool removal) {
    const int rank = other ? static_cast<int>(*other) * 2 - 1 : static_cast<int>(step.object) * 2;
    return removal ? -rank : rank;
}

/// The first object that belongs to ports. The host's objects before it are written before any
/// port.
Object first_of_ports() {
    const auto found = std::ranges::find_if(
        objects(), [](const ObjectRow* row) { return row->lives != Lives::host; });
    return (*found)->object;
}

/// The order among ports: first the host's objects that come before ports, then port by port, last
/// the host's other objects (rules lead packets to routes of all ports). Removals go the other way,
/// and modules are unloaded last, after what came with them was restored.
std::size_t rank_among(std::size_t ports, std::size_t place, const Step& step, bool removal) {
    if (step.port == kHost && step.object < first_of_ports()) return removal ? ports + 2 : 0;
    if (step.port == kHost) return removal ? 0 : ports + 1;
    return place + 1;
}

/// Removing an element of a list is a step of its own, so that it can be taken before or after the
/// additions. For other objects the edits put removals and additions in order.
bool is_removal(const Desired& desired) {
    return !desired.value &&
           (desired.field->shape.kind == Shape::Kind::items ||
            desired.field->shape.kind == Shape::Kind::record ||
            (desired.element.empty() && row_of(desired.field->object).lifecycle.unmade != nullptr));
}

}  // namespace

/// Adds a desired value for the flag that makes the object readable, once per port.
void Planner::need(const Desired& desired) {
    const std::string_view needs = row_of(desired.field->object).read.needs;
    if (needs.empty()) return;
    const Field* field = find_field(needs);
    if (all_desired(desired.port, *field, "")) return;
    Origin origin = desired.origin;
    origin.other = "needed for " + std::string(desired.field->key);
    add_desired({.port = desired.port,
                 .field = field,
                 .element = "",
                 .value = Value(true),
                 .origin = origin,
                 .optional = desired.optional});
}

/// Groups unmet desired values whose objects can be written into candidate steps, for the ports in
/// `stale_` only.
void Planner::look_again() {
    std::vector<std::string> ports;
    for (const std::string& port : stale_)
        if (ranks_.contains(port)) ports.push_back(port);
    stale_.clear();
    // In the plan's order, because examining a port may add a desired value.
    std::ranges::sort(ports, {}, [&](const std::string& port) { return ranks_.at(port); });
    for (const std::string& port : ports) {
        const Examined before = std::exchange(examined_[port], {});
        for (const CandidateOrder& order : before.orders) {
            waiting_.erase(order);
            open_.erase(order);
        }
        std::vector<CandidateOrder> orders;
        for (Candidate& candidate :
             candidates_of(port, before.kept ? before.met : std::vector<bool>{})) {
            const CandidateOrder order{candidate.port_rank, candidate.removal ? 0 : 1,
                                       candidate.order, ranks_.at(port), orders.size()};
            waiting_.emplace(order, std::move(candidate));
            open_.insert(open_.end(), order);
            orders.push_back(order);
        }
        examined_[port].orders = std::move(orders);
    }
}

/// Valid until the next call.
Reading& Planner::reading_of(const Port& port) {
    if (!reading_ || &reading_->port() != &port) reading_.emplace(port);
    return *reading_;
}

/// `kept`: which desired values are known to be still met.
std::vector<Candidate> Planner::candidates_of(const std::string& name,
                                              const std::vector<bool>& kept) {
    std::map<std::pair<Object, bool>, Candidate> steps;
    const Port* port = find_port(predicted_, name);
    if (port == nullptr || staged_.contains(name)) return {};
    const Reading& now = reading_of(*port);
    std::vector<bool> known;
    // Grows in the loop when a desired value needs another one.
    const std::vector<std::size_t>& own = index_.of(name);
    for (std::size_t nth = 0; nth < own.size(); ++nth) {
        const std::size_t i = own[nth];
        known.push_back((nth < kept.size() && kept[nth]) || met(now, i));
        if (abandoned_[i] || known.back()) continue;
        const Object object = desired_values_[i].field->object;
        if (!reachable(now, desired_values_[i]) || row_of(object).play == nullptr) continue;
        if (comes_with_module(now, desired_values_[i])) continue;
        if (!row_of(object).read.needs.empty() && port->unknown.contains(object)) {
            need(Desired(desired_values_[i]));
            if (!opened(*port, object).value_or(false)) continue;
        }
        const bool removal = is_removal(desired_values_[i]);
        Candidate& candidate = steps[{object, removal}];
        candidate.removal = removal;
        candidate.desired_values.push_back(i);
    }
    examined_[name].met = std::move(known);
    std::vector<Candidate> out;
    for (auto& [key, candidate] : steps) {
        candidate.step.port = name;
        candidate.step.object = key.first;
        candidate.port_rank =
            rank_among(plan_.ports.size(), ranks_.at(name), candidate.step, candidate.removal);
        order(now, candidate);
        out.push_back(std::move(candidate));
    }
    return out;
}

/// Computes the candidate's place among those of its port. Its changes are computed here only if
/// the place depends on them, or on who the bond's members are now.
void Planner::order(const Reading& now, Candidate& candidate) const {
    const ObjectRow& row = row_of(candidate.step.object);
    const auto filled = [&] {
        if (!candidate.filled) fill(now, candidate);
    };
    if (!row.of_members.empty() &&
        !written_along(predicted_, now.port().name, row.object, {row.of_members}).empty())
        filled();
    std::optional<Object> other;
    if (row.order.goes_before != nullptr)
        other = row.order.goes_before(driver_of(now.port()), [&] {
            filled();
            return target(now.port(), candidate.step);
        });
    candidate.order = rank_of(candidate.step, other, candidate.removal);
}

/// Computes the candidate's changes. What they depend on has not changed since the port was
/// examined.
void Planner::complete(Candidate& candidate) {
    if (!candidate.filled) fill(reading_of(*find_port(predicted_, candidate.step.port)), candidate);
}

/// Computes a step's changes: its unmet desired values, and others of the object that are written
/// along with them.
void Planner::fill(const Reading& now, Candidate& candidate) const {
    const Port& port = now.port();
    const bool unknown = port.unknown.contains(candidate.step.object) ||
                         uncertainty_of(port, candidate.step.object) != Uncertainty::none;
    for (const std::size_t i : index_.of(port.name)) {
        const Desired& desired = desired_values_[i];
        if (desired.field->object != candidate.step.object) continue;
        if (is_removal(desired) != candidate.removal || abandoned_[i]) continue;
        const bool asked = std::ranges::binary_search(candidate.desired_values, i);
        if (!asked && comes_with_module(now, desired)) continue;
        std::optional<Value> before = element_of(now, *desired.field, desired.element);
        std::optional<Value> after = desired.value;
        if (after) after = canonical(desired.field->shape, *after);
        if (!asked && (before == after || holds(now, desired)) && desired.field->same == nullptr)
            continue;
        if (!asked && (before == after || !is_recorded(now, *desired.field, desired.element)))
            continue;
        candidate.step.changes.push_back({.field = desired.field,
                                          .element = desired.element,
                                          .before = unknown ? std::nullopt : before,
                                          .after = after,
                                          .before_unknown = unknown,
                                          .origin = desired.origin});
    }
    std::set<std::string_view> keys;
    for (const Change& change : candidate.step.changes)
        keys.insert(change.field->key);
    candidate.step.disruption = disruption_in(predicted_, port, candidate.step.object, keys);
    candidate.filled = true;
}

}  // namespace core

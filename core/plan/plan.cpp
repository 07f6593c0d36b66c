// SPDX-License-Identifier: Apache-2.0
#include "core/plan/plan.hpp"

#include <algorithm>
#include <cerrno>
#include <map>
#include <set>
#include <utility>

#include "core/model/finding_names.hpp"
#include "core/model/reading.hpp"
#include "core/objects/host/parts.hpp"
#include "core/objects/rdma/parts.hpp"
#include "core/plan/apply.hpp"
#include "core/plan/desired_index.hpp"
#include "core/plan/judge.hpp"
#include "core/plan/kernel.hpp"

namespace core {

std::vector<std::string> written_along(const State& state, const Step& step) {
    const ObjectRow& row = row_of(step.object);
    if (!row.names_ports && row.of_members.empty()) return {};
    std::set<std::string_view> keys;
    std::set<std::string> elements;
    for (const Change& change : step.changes) {
        keys.insert(change.field->key);
        elements.insert(change.element);
    }
    return written_along(state, step.port, step.object, keys, elements);
}

Port target(const Port& now, const Step& step) {
    Port then = now;
    ElementWriter writer(then);
    for (const Change& change : step.changes) {
        std::optional<Value> value = change.after;
        if (value) value = canonical(change.field->shape, *value);
        writer.set(*change.field, change.element, value);
    }
    writer.done();
    return then;
}

namespace {

/// Records elements that the step removed as known to be absent.
void note_absent(Port& port, const Step& step) {
    for (const Change& change : step.changes) {
        if (change.after)
            port.absent[step.object].erase(change.element);
        else
            port.absent[step.object].insert(change.element);
    }
    if (port.absent[step.object].empty()) port.absent.erase(step.object);
}

}  // namespace

Played play(State& state, const Step& step) {
    const Port* port = find_port(state, step.port);
    if (port == nullptr) return Refusal{.code = ENODEV, .text = "No such device"};
    return play(state, step, target(*port, step));
}

Played play(State& state, const Step& step, const Port& then) {
    Port* port = find_port(state, step.port);
    Port before = *port;
    Played played = row_of(step.object).play(driver_of(before), state, *port, then);
    // A refusal half way leaves the port as it was.
    if (played.refusal) {
        *port = std::move(before);
        return played;
    }
    if (row_of(step.object).read.by_name) note_absent(*port, step);
    mark_unread(*port);
    return played;
}

void take_back(State& state, const Port& before, std::vector<Port> touched) {
    *find_port(state, before.name) = before;
    for (Port& other : touched)
        *find_port(state, other.name) = std::move(other);
}

namespace {

/// Calls `visit` with each step and the commands for it.
template <typename Visit>
void each_spelled(const Plan& plan, const Visit& visit) {
    State state = plan.before;
    for (const Step& step : plan.steps) {
        const Port* port = find_port(state, step.port);
        if (port == nullptr) continue;
        visit(step, row_of(step.object).words.spell(driver_of(*port), *port, target(*port, step)));
        static_cast<void>(play(state, step));
    }
}

}  // namespace

std::vector<std::string> commands(const Plan& plan) {
    std::vector<std::string> lines;
    each_spelled(plan, [&lines](const Step& /*step*/, const Commands& some) {
        lines.insert(lines.end(), some.begin(), some.end());
    });
    return lines;
}

std::vector<std::string> unspelled(const Plan& plan) {
    std::vector<std::string> lines;
    each_spelled(plan, [&lines](const Step& step, const Commands& some) {
        if (!some.empty()) return;
        for (const Change& change : step.changes)
            lines.push_back(step.port + ": " + element_name(*change.field, change.element) +
                            ": no command writes it");
    });
    return lines;
}

namespace {

using Touched = std::map<std::string, Objects>;

Touched disturbed_by(const Plan& plan) {
    Touched touched;
    for (const Step& step : plan.steps) {
        const Port* port = find_port(plan.before, step.port);
        if (port == nullptr) continue;
        const Objects reach = reach_of(driver_of(*port), step.object);
        touched[step.port].insert(reach.begin(), reach.end());
        for (const std::string& name : written_along(plan.before, step))
            if (find_port(plan.before, name) != nullptr)
                touched[name].insert(reach.begin(), reach.end());
        // Undoing the step takes them along too, even those it left unchanged: a port that comes up
        // takes every VLAN on it up.
        for (const std::string& name : carried_by(step, plan.before))
            touched[name].insert(step.object);
    }
    // A write can change other ports: VLANs go up and down with the port below.
    for (const Port& before : plan.before.ports) {
        const Port* predicted = find_port(plan.predicted, before.name);
        if (predicted == nullptr || before == *predicted) continue;
        if (is_not_there(before) || is_not_there(*predicted)) continue;
        for (const std::string& key : differences(before, *predicted))
            touched[before.name].insert(object_of(key));
    }
    return touched;
}

/// Desires the absence of elements that the plan adds.
void absences(const Reading& before, const Reading& predicted, const Field& field,
              DesiredState& undo_profile) {
    const std::optional<Elements>& old = before.elements(field);
    const std::optional<Elements>& made = predicted.elements(field);
    if (!old || !made) return;
    // What is kept of elements goes with them.
    if (field.use == Field::Use::kept && field.shape.kind == Shape::Kind::items) return;
    for (const auto& [element, value] : *made)
        if (!old->contains(element) && (!made_by_kernel(predicted, field, element) ||
                                        made_by_daemon(predicted, field, element)))
            undo_profile.desired_values.push_back({.port = before.port().name,
                                                   .field = &field,
                                                   .element = element,
                                                   .value = std::nullopt,
                                                   .origin = {.other = std::string(kAsItWas)}});
}

/// Whether the plan replaces an element that the kernel made by its own, such as a connected route
/// by one through a gateway. The kernel does not make it again, so undo has to.
bool takes_the_place(const Reading& before, const Reading& predicted, const Field& field,
                     std::string_view element) {
    return made_by_kernel(before, field, element) && predicted.element(field, element) != nullptr &&
           !made_by_kernel(predicted, field, element);
}

/// Whether the plan removes what a daemon made, because its absence is stated: the daemon may not
/// know that it is gone, so undo puts it back.
bool takes_from_daemon(const Plan& plan, const Reading& before, const Field& field,
                       std::string_view element) {
    if (!made_by_daemon(before, field, element)) return false;
    return std::ranges::any_of(plan.steps, [&](const Step& step) {
        return step.port == before.port().name &&
               std::ranges::any_of(step.changes, [&](const Change& change) {
                   return change.field == &field && change.element == element && !change.after;
               });
    });
}

void presences(const Plan& plan, const Reading& before, const Reading& predicted,
               const Field& field, DesiredState& undo_profile) {
    const std::optional<Elements>& old = before.elements(field);
    if (!old) return;
    for (const auto& [element, value] : *old)
        if (!made_by_kernel(before, field, element) ||
            takes_the_place(before, predicted, field, element) ||
            takes_from_daemon(plan, before, field, element))
            undo_profile.desired_values.push_back({.port = before.port().name,
                                                   .field = &field,
                                                   .element = element,
                                                   .value = value,
                                                   .origin = {.other = std::string(kAsItWas)}});
}

}  // namespace

DesiredState undo_profile(const Plan& plan) {
    DesiredState undo_profile;
    undo_profile.ports = plan.ports;
    for (const auto& [name, touched] : disturbed_by(plan)) {
        const Port& before = *find_port(plan.before, name);
        const Port* predicted = find_port(plan.predicted, name);
        const Reading was = before;
        const Reading then = predicted == nullptr ? before : *predicted;
        // A port that did not exist had only what the kernel gives new ports.
        const bool was_there = !is_not_there(before);
        if (std::ranges::find(undo_profile.ports, name) == undo_profile.ports.end())
            undo_profile.ports.push_back(name);
        for (const Field& field : fields()) {
            const bool was_read =
                !before.unknown.contains(field.object) && !before.refused.contains(field.object);
            if (!is_restored(field) || !touched.contains(field.object) || !was_read) continue;
            if (was_there) presences(plan, was, then, field, undo_profile);
            if (predicted != nullptr) absences(was, then, field, undo_profile);
        }
    }
    return undo_profile;
}

// A stage ends with a step after which the port cannot be predicted. Apply then plans the rest.

namespace {

bool is_exact(const DesiredState& desired_values, const Desired& old) {
    return std::ranges::any_of(desired_values.exact, [&](const Exact& exact) {
        return exact.port == old.port && exact.field == old.field;
    });
}

Disruption cost_of(const Plan& plan) {
    Disruption most = Disruption::none;
    for (const Step& step : plan.steps)
        most = std::max(most, step.disruption);
    return most;
}

/// Whether the object needs an RDMA device that a module loaded by the stage brought.
bool came_with_device(const Plan& stage, const Desired& desired) {
    const Port* port = find_port(stage.before, desired.port);
    if (port == nullptr || !rdma_link::hangs_on_device(row_of(desired.field->object))) return false;
    return !rdma_link::has_device(*port) && modules::loaded(stage.before, stage.predicted)
                                                .contains(driver_of(*port).rdma_software.module);
}

/// Whether the element came with a module of the stage, and may go again with it. It stays if the
/// module is still needed when another one goes.
bool may_go(const Plan& stage, const Desired& desired) {
    const Port* port = find_port(stage.before, desired.port);
    return port != nullptr && row_of(desired.field->object).lifecycle.with_module != nullptr &&
           Reading(*port).element(*desired.field, desired.element) == nullptr;
}

}  // namespace

std::vector<Desired> learned(const Plan& rest, const Plan& stage) {
    std::vector<Desired> out = undo_profile(rest).desired_values;
    std::erase_if(out, [&](const Desired& desired) { return came_with_device(stage, desired); });
    for (Desired& desired : out)
        desired.optional = desired.optional || may_go(stage, desired);
    return out;
}

bool ends_stage(const Port& before, const Step& step) {
    const auto ends = row_of(step.object).order.ends_stage;
    return ends != nullptr && ends(before);
}

/// The planner adds a `stage` finding for each port whose stage ends.
bool ends_stage(const Plan& plan) {
    return std::ranges::any_of(
        plan.findings, [](const Finding& finding) { return finding.id == findings::stage; });
}

DesiredState rest_of(const DesiredState& desired_values, const Plan& stage) {
    DesiredState rest = desired_values;
    const DesiredIndex stated(desired_values.desired_values);
    std::set<std::string> reloaded;
    for (const Step& step : stage.steps)
        if (const Port* port = find_port(stage.before, step.port))
            if (ends_stage(*port, step)) reloaded.insert(step.port);
    for (Desired& old : undo_profile(stage).desired_values) {
        if (!reloaded.contains(old.port)) continue;
        if (!old.value || stated.contains(old.port, *old.field, old.element)) continue;
        if (is_exact(desired_values, old)) continue;
        old.origin.other = "kept: the reload takes it away";
        old.optional = true;
        rest.desired_values.push_back(std::move(old));
    }
    return rest;
}

std::optional<Finding> costs_more(const Plan& rest, const Plan& shown) {
    const bool irreversible = std::ranges::any_of(rest.steps, &Step::irreversible) &&
                              std::ranges::none_of(shown.steps, &Step::irreversible);
    if (!irreversible && cost_of(rest) <= cost_of(shown)) return std::nullopt;
    return Finding{.id = findings::costs_more,
                   .text = "what is left to write costs '" + std::string(word(cost_of(rest))) +
                           (irreversible ? "' and cannot be undone" : "'") +
                           ", more than the plan showed"};
}

std::vector<Finding> lost_by_stage(const DesiredState& desired_values, const Plan& stage,
                                   const State& now) {
    std::vector<Finding> out;
    if (!ends_stage(stage)) return out;
    const std::vector<Desired> all = rest_of(desired_values, stage).desired_values;
    Readings readings(now);
    for (std::size_t i = desired_values.desired_values.size(); i < all.size(); ++i) {
        const Reading* port = readings.find(all[i].port);
        if (port == nullptr || holds(*port, all[i])) continue;
        out.push_back({.id = findings::not_put_back,
                       .port = all[i].port,
                       .key = std::string(all[i].field->key),
                       .element = all[i].element,
                       .text = expected_and_found(*port, all[i]) + " since the reload"});
    }
    return out;
}

}  // namespace core

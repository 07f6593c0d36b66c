// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "core/model/reading.hpp"
#include "core/plan/apply.hpp"
#include "core/plan/kernel.hpp"
#include "core/plan/plan.hpp"

namespace core {
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
    for (const auto& [element, value] : *made)
        if (!old->contains(element) && !made_by_kernel(predicted, field, element))
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

void presences(const Reading& before, const Reading& predicted, const Field& field,
               DesiredState& undo_profile) {
    const std::optional<Elements>& old = before.elements(field);
    if (!old) return;
    for (const auto& [element, value] : *old)
        if (!made_by_kernel(before, field, element) ||
            takes_the_place(before, predicted, field, element))
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
            if (was_there) presences(was, then, field, undo_profile);
            if (predicted != nullptr) absences(was, then, field, undo_profile);
        }
    }
    return undo_profile;
}

}  // namespace core

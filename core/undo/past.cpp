// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "core/plan/kernel.hpp"
#include "core/plan/plan.hpp"

namespace core {
namespace {

using Touched = std::map<std::string, Objects>;

Touched touched_by(const Plan& plan) {
    Touched touched;
    for (const Step& step : plan.steps) {
        const Port* port = find_port(plan.before, step.port);
        if (port == nullptr) continue;
        const Objects reach = reach_of(driver_of(*port), step.object);
        touched[step.port].insert(reach.begin(), reach.end());
    }
    // A write can change other ports too: VLANs go up and down with the port below.
    for (const Port& before : plan.before.ports) {
        const Port* predicted = find_port(plan.predicted, before.name);
        if (predicted == nullptr || is_not_there(before) || is_not_there(*predicted)) continue;
        for (const std::string& key : differences(before, *predicted))
            touched[before.name].insert(object_of(key));
    }
    return touched;
}

/// Elements that the plan makes: they were not there, and are to go.
void absences(const Plan& plan, const Port& before, const Field& field, Wishes& past) {
    const Port* predicted = find_port(plan.predicted, before.name);
    const std::optional<Elements> old = field.get(before);
    const std::optional<Elements> made =
        predicted == nullptr ? std::nullopt : field.get(*predicted);
    if (!old || !made) return;
    for (const auto& [element, value] : *made)
        if (!old->contains(element) && !made_by_kernel(*predicted, field, element))
            past.wishes.push_back({.port = before.name,
                                   .field = &field,
                                   .element = element,
                                   .value = std::nullopt,
                                   .origin = {.other = std::string(kAsItWas)}});
}

void presences(const Port& before, const Field& field, Wishes& past) {
    // What was not there had only what the kernel gives new ports.
    if (is_not_there(before)) return;
    for (const auto& [element, value] : field.get(before).value_or(Elements{}))
        if (!made_by_kernel(before, field, element))
            past.wishes.push_back({.port = before.name,
                                   .field = &field,
                                   .element = element,
                                   .value = value,
                                   .origin = {.other = std::string(kAsItWas)}});
}

}  // namespace

Wishes past(const Plan& plan) {
    Wishes past;
    past.ports = plan.ports;
    for (const auto& [name, touched] : touched_by(plan)) {
        const Port& before = *find_port(plan.before, name);
        if (std::ranges::find(past.ports, name) == past.ports.end()) past.ports.push_back(name);
        for (const Field& field : fields()) {
            const bool was_read =
                !before.unknown.contains(field.object) && !before.refused.contains(field.object);
            if (!is_restored(field) || !touched.contains(field.object) || !was_read) continue;
            presences(before, field, past);
            absences(plan, before, field, past);
        }
    }
    return past;
}

}  // namespace core

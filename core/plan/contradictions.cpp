// SPDX-License-Identifier: Apache-2.0
#include "core/plan/contradictions.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "core/checks/catalogue.hpp"
#include "core/checks/evidence.hpp"
#include "core/model/reading.hpp"
#include "core/plan/desired_index.hpp"

namespace core {
namespace {

/// Whether the check is about the state of one port. Checks of lists are left out: other programs
/// write lists too, so only desired elements count, and resolving the profile has checked those.
bool looks_at_state(const FindingRow& row) {
    const Needs& needs = row.needs;
    if (row.run == nullptr || needs.keys.empty() || row.examines != CheckTarget::settings)
        return false;
    if (needs.before || needs.intent || needs.switches || !needs.desired.empty()) return false;
    return find_field(needs.keys.front())->shape.kind != Shape::Kind::items;
}

/// Adds to the port the host's objects that apply to every port, if they were read.
void add_of_host(const Plan& plan, Port& port) {
    const Port* host = find_port(plan.predicted, kHost);
    if (host == nullptr) return;
    for (const ObjectRow* row : objects())
        if (row->read.of_each_port) copy_part(row->object, *host, port);
}

/// The desired values of those objects. Without any the host was not read.
std::vector<Desired> desired_for_each_port(const DesiredState& desired_values) {
    std::vector<Desired> out;
    std::ranges::copy_if(
        desired_values.desired_values, std::back_inserter(out),
        [](const Desired& desired) { return row_of(desired.field->object).read.of_each_port; });
    return out;
}

bool is_examined_beside(Topic topic) {
    return topic == Topic::dcb || topic == Topic::congestion;
}

/// The port after the plan. A reload cannot be predicted, so for a port with one the desired values
/// are taken as met.
Port foreseen(const Port& predicted, std::span<const Desired> desired_values, bool reloads) {
    Port out = predicted;
    if (!reloads) return out;
    ElementWriter writer(out);
    for (const Desired& desired : desired_values)
        writer.set(*desired.field, desired.element, desired.value);
    writer.done();
    return out;
}

/// The keys of the port that are desired or change.
std::vector<std::string> concerned(const Port& port, std::span<const Desired> desired_values,
                                   const Plan& plan) {
    const Port* before = find_port(plan.before, port.name);
    std::set<const Field*> stated;
    for (const Desired& desired : desired_values)
        stated.insert(desired.field);
    std::vector<std::string> out;
    if (before != nullptr) out = differences(*before, port);
    for (const Field* field : stated)
        out.emplace_back(field->key);
    return out;
}

/// The first stated desired value among the check's keys, else the first derived; null without one.
const Desired* desired_for(const FindingRow& row, std::span<const Desired> desired_values) {
    const Desired* out = nullptr;
    for (const std::string_view key : row.needs.keys)
        for (const Desired& desired : desired_values)
            if (desired.field->key == key &&
                (out == nullptr || (is_derived(out->origin) && !is_derived(desired.origin))))
                out = &desired;
    return out;
}

std::string said_at(const Desired* desired) {
    return desired == nullptr || desired->origin == Origin{} ? "" : text(desired->origin) + ": ";
}

/// What the plan's findings already report, by port.
using ReportedOfPort = std::set<std::pair<std::string_view, const FindingRow*>>;

void look_at(const Port& port, std::span<const Desired> desired_values, const Plan& plan,
             const ReportedOfPort& said, std::vector<Finding>& out) {
    const std::vector<std::string> keys = concerned(port, desired_values, plan);
    for (const FindingRow* row : catalogue()) {
        const auto concerns = [&](std::string_view key) {
            return std::ranges::find(keys, key) != keys.end();
        };
        if (!looks_at_state(*row) || std::ranges::none_of(row->needs.keys, concerns)) continue;
        const auto faults = examine(
            *row, {.driver = &driver_of(port), .now = &port, .desired_values = desired_values});
        if (!faults || said.contains({port.name, row})) continue;
        for (const Fault& fault : *faults) {
            const Desired* desired =
                fault.at == nullptr ? desired_for(*row, desired_values) : fault.at;
            out.push_back({.id = *row,
                           .port = port.name,
                           .key = std::string(desired == nullptr ? row->needs.keys.front()
                                                                 : desired->field->key),
                           .text = said_at(desired) + fault.text,
                           .remedy = fault.remedy});
        }
    }
}

/// The desired values at these positions: a part of the list where they are adjacent, else
/// `copies`.
std::span<const Desired> all_at(const std::vector<std::size_t>& places,
                                const std::vector<Desired>& desired_values,
                                std::vector<Desired>& copies) {
    if (places.empty()) return {};
    if (places.back() - places.front() + 1 == places.size())
        return std::span(desired_values).subspan(places.front(), places.size());
    for (const std::size_t i : places)
        copies.push_back(desired_values[i]);
    return copies;
}

}  // namespace

std::vector<Finding> contradictions(const DesiredState& desired_values, const Plan& plan) {
    std::vector<Finding> out;
    ReportedOfPort said;
    for (const Finding& finding : plan.findings)
        said.emplace(finding.port, &finding.id.row());
    std::set<std::string_view> reloading;
    for (const Step& step : plan.steps)
        if (const Port* before = find_port(plan.before, step.port))
            if (ends_stage(*before, step)) reloading.insert(step.port);
    const DesiredIndex index(desired_values.desired_values);
    const std::vector<Desired> of_host = desired_for_each_port(desired_values);
    for (const std::string& name : plan.ports) {
        const Port* predicted = find_port(plan.predicted, name);
        if (predicted == nullptr) continue;
        std::vector<Desired> copies;
        std::span<const Desired> own =
            all_at(index.of(name), desired_values.desired_values, copies);
        Port port = foreseen(*predicted, own, reloading.contains(name));
        std::vector<Desired> both;
        if (!of_host.empty() && name != kHost) {
            add_of_host(plan, port);
            both.assign(own.begin(), own.end());
            both.insert(both.end(), of_host.begin(), of_host.end());
            own = both;
        }
        look_at(port, own, plan, said, out);
    }
    return out;
}

Objects examined_beside(const DesiredState& desired_values) {
    Objects out;
    std::set<const Field*> fields;
    for (const Desired& desired : desired_values.desired_values)
        fields.insert(desired.field);
    const auto is_stated = [&](std::string_view key) { return fields.contains(find_field(key)); };
    for (const FindingRow* row : catalogue()) {
        if (!looks_at_state(*row) || std::ranges::none_of(row->needs.keys, is_stated)) continue;
        for (const std::string_view key : row->needs.keys)
            if (const Object object = object_of(key); is_examined_beside(row_of(object).topic))
                out.insert(object);
    }
    return out;
}

}  // namespace core

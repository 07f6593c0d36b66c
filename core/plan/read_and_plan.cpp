// SPDX-License-Identifier: Apache-2.0
#include "core/plan/read_and_plan.hpp"

#include <algorithm>
#include <utility>

#include "core/plan/contradictions.hpp"
#include "core/plan/planner.hpp"

namespace core {
namespace {

Objects minus(const Objects& all, const Objects& some) {
    Objects out;
    std::ranges::set_difference(all, some, std::inserter(out, out.end()));
    return out;
}

Plan examined(const DesiredState& desired_values, Plan plan) {
    for (Finding& finding : contradictions(desired_values, plan))
        plan.findings.push_back(std::move(finding));
    return plan;
}

Plan examined(const DesiredState& desired_values, State state) {
    return examined(desired_values, Planner(desired_values, std::move(state), {}).plan());
}

/// Whether nothing is to be written and only notes were found, so that reading more changes
/// nothing.
bool is_settled(const Plan& plan) {
    return plan.steps.empty() && std::ranges::all_of(plan.findings, [](const Finding& finding) {
               return finding.level == Finding::Level::note;
           });
}

}  // namespace

ReadPlan read_and_plan(Kernel& kernel, const DesiredState& desired_values, const State& inventory,
                       const Objects& proofs) {
    ReadPlan out{.plan = {}, .scope = scope_of(desired_values, inventory)};
    Scope first = out.scope;
    first.objects = examined(desired_values);
    first.objects.insert(proofs.begin(), proofs.end());
    out.scope.objects.insert(proofs.begin(), proofs.end());
    first.known = &inventory;
    State state = kernel.read(first);
    Scope rest = out.scope;
    rest.objects = minus(out.scope.objects, first.objects);
    rest.everywhere.clear();
    rest.known = &inventory;
    if (rest.objects.empty()) {
        out.plan = examined(desired_values, std::move(state));
        return out;
    }
    if (Plan begun = begun_plan(desired_values, state); begun.steps.empty()) {
        out.plan = examined(desired_values, std::move(begun));
        if (is_settled(out.plan)) return out;
    }
    add_parts(state, kernel.read(rest), rest.objects);
    out.plan = examined(desired_values, std::move(state));
    return out;
}

void read_along(Kernel& kernel, const DesiredState& desired_values, ReadPlan& found) {
    const bool any = std::ranges::any_of(found.plan.steps, [](const Step& step) {
        return row_of(step.object).lifecycle.carries != nullptr;
    });
    const Scope links{.ports = std::vector<std::string>{"*"}, .objects = inventory()};
    std::vector<std::string> ports;
    if (any) ports = carried_along(found.plan, kernel.read(links));
    // Which devices they are is recorded: at a rollback others may have their names.
    for (std::string& name : ports_in_elements(found.plan))
        if (std::ranges::find(ports, name) == ports.end()) ports.push_back(std::move(name));
    if (ports.empty()) return;
    found.scope.ports->insert(found.scope.ports->end(), ports.begin(), ports.end());
    found.plan = examined(desired_values, kernel.read(found.scope));
}

}  // namespace core

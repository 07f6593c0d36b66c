// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "core/model/finding_names.hpp"
#include "core/model/reading.hpp"
#include "core/objects/host/parts.hpp"
#include "core/objects/rdma/parts.hpp"
#include "core/plan/desired_index.hpp"
#include "core/plan/judge.hpp"
#include "core/plan/plan.hpp"

// A stage ends with a step after which the port cannot be predicted. Apply then plans the rest.

namespace core {
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

std::vector<Finding> not_put_back(const DesiredState& desired_values, const Plan& stage,
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

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "core/model/finding_names.hpp"
#include "core/model/reading.hpp"
#include "core/objects/host/modules.hpp"
#include "core/objects/rdma/rdma_link.hpp"
#include "core/plan/judge.hpp"
#include "core/plan/plan.hpp"
#include "core/plan/wish_index.hpp"

// A step after which nobody can foretell what the port is ends a stage.

namespace core {
namespace {

bool is_exact(const Wishes& wishes, const Wish& old) {
    return std::ranges::any_of(wishes.exact, [&](const Exact& exact) {
        return exact.port == old.port && exact.field == old.field;
    });
}

Disruption cost_of(const Plan& plan) {
    Disruption most = Disruption::none;
    for (const Step& step : plan.steps)
        most = std::max(most, step.disruption);
    return most;
}

/// Whether what the wish is about hangs on an RDMA device that the stage's modules brought.
bool came_with_device(const Plan& stage, const Wish& wish) {
    const Port* port = find_port(stage.before, wish.port);
    if (port == nullptr || !rdma_link::hangs_on_device(row_of(wish.field->object))) return false;
    return !rdma_link::has_device(*port) && modules::loaded(stage.before, stage.predicted)
                                                .contains(driver_of(*port).rdma_software.module);
}

/// Whether the element may go again with a module: it was not there before the stage. One that
/// another module needed stays when that goes.
bool may_go(const Plan& stage, const Wish& wish) {
    const Port* port = find_port(stage.before, wish.port);
    return port != nullptr && row_of(wish.field->object).with_module != nullptr &&
           Reading(*port).element(*wish.field, wish.element) == nullptr;
}

}  // namespace

std::vector<Wish> learned(const Plan& rest, const Plan& stage) {
    std::vector<Wish> out = past(rest).wishes;
    std::erase_if(out, [&](const Wish& wish) { return came_with_device(stage, wish); });
    for (Wish& wish : out)
        wish.optional = wish.optional || may_go(stage, wish);
    return out;
}

bool ends_stage(const Port& before, const Step& step) {
    const auto ends = row_of(step.object).ends_stage;
    return ends != nullptr && ends(before);
}

/// A plan says of each port where it does.
bool ends_stage(const Plan& plan) {
    return std::ranges::any_of(
        plan.findings, [](const Finding& finding) { return finding.id == findings::stage; });
}

Wishes rest_of(const Wishes& wishes, const Plan& stage) {
    Wishes rest = wishes;
    const WishIndex stated(wishes.wishes);
    std::set<std::string> reloaded;
    for (const Step& step : stage.steps)
        if (const Port* port = find_port(stage.before, step.port))
            if (ends_stage(*port, step)) reloaded.insert(step.port);
    for (Wish& old : past(stage).wishes) {
        if (!reloaded.contains(old.port)) continue;
        if (!old.value || stated.contains(old.port, *old.field, old.element)) continue;
        if (is_exact(wishes, old)) continue;
        old.origin.other = "kept: the reload takes it away";
        old.optional = true;
        rest.wishes.push_back(std::move(old));
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

std::vector<Finding> not_put_back(const Wishes& wishes, const Plan& stage, const State& now) {
    std::vector<Finding> out;
    if (!ends_stage(stage)) return out;
    const std::vector<Wish> all = rest_of(wishes, stage).wishes;
    Readings readings(now);
    for (std::size_t i = wishes.wishes.size(); i < all.size(); ++i) {
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

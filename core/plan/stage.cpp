// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/checks/rows.hpp"
#include "core/plan/judge.hpp"
#include "core/plan/plan.hpp"

// A step after which nobody can foretell what the port is ends a stage.

namespace core {
namespace {

bool is_wished(const Wishes& wishes, const Wish& old) {
    const bool stated = std::ranges::any_of(wishes.wishes, [&](const Wish& wish) {
        return wish.port == old.port && wish.field == old.field && wish.element == old.element;
    });
    return stated || std::ranges::any_of(wishes.exact, [&](const Exact& exact) {
               return exact.port == old.port && exact.field == old.field;
           });
}

Disruption cost_of(const Plan& plan) {
    Disruption most = Disruption::none;
    for (const Step& step : plan.steps)
        most = std::max(most, step.disruption);
    return most;
}

}  // namespace

bool ends_stage(const Port& before, const Step& step) {
    const auto ends = row_of(step.object).ends_stage;
    return ends != nullptr && ends(before);
}

bool ends_stage(const Plan& plan) {
    return std::ranges::any_of(plan.steps, [&](const Step& step) {
        const Port* port = find_port(plan.before, step.port);
        return port != nullptr && ends_stage(*port, step);
    });
}

Wishes rest_of(const Wishes& wishes, const Plan& stage) {
    Wishes rest = wishes;
    for (Wish& old : past(stage).wishes) {
        if (!old.value || is_wished(wishes, old)) continue;
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
                   .text = "after the reload the rest costs '" + std::string(word(cost_of(rest))) +
                           (irreversible ? "' and cannot be undone" : "'") +
                           ", more than the plan showed"};
}

std::vector<Finding> not_put_back(const Wishes& wishes, const Plan& stage, const State& now) {
    std::vector<Finding> out;
    if (!ends_stage(stage)) return out;
    const std::vector<Wish> all = rest_of(wishes, stage).wishes;
    for (std::size_t i = wishes.wishes.size(); i < all.size(); ++i) {
        const Port* port = find_port(now, all[i].port);
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

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/model/desired.hpp"
#include "core/model/object.hpp"

namespace core {

/// One element of a field, before and after a step.
struct Change {
    const Field* field = nullptr;
    std::string element{};
    std::optional<Value> before{};
    std::optional<Value> after{};
    bool before_unknown = false;  ///< unreadable until an earlier step of the plan is written
    Origin origin{};
};

/// One write of one object of one port.
struct Step {
    std::string port{};
    Object object{};
    std::vector<Change> changes{};
    Disruption disruption = Disruption::none;
    bool irreversible = false;
};

/// The steps in order, the findings, and the host before and after.
struct Plan {
    std::vector<std::string> ports{};
    std::vector<Step> steps{};
    std::vector<Finding> findings{};
    State before{};     ///< what the plan was made from
    State predicted{};  ///< what reading will show after the plan was applied
};

/// Objects to write even if they already read as desired: a write of them was refused, and the
/// device may hold anything.
using Force = std::set<std::pair<std::string, Object>>;

/// Computes the writes, in order, that take `state` to the desired values, each planned against the
/// state that the steps before it predict. Never throws: what cannot be done is a finding.
Plan make_plan(const DesiredState& desired_values, const State& state, const Force& force = {});

/// Like make_plan, but stops after the first step and then leaves `predicted` empty. A plan without
/// steps is complete. For callers that only need to know whether there is anything to write.
Plan begun_plan(const DesiredState& desired_values, const State& state);

/// Everything as desired: no steps, no failure, no unknown.
[[nodiscard]] bool satisfied(const Plan& plan);
/// Whether the plan may be applied: no failure or unknown among its findings. Failures about what
/// rocectl only reads or leaves to another program do not count, unless the profile requires the
/// value.
[[nodiscard]] bool feasible(const Plan& plan);
/// No steps left, and feasible: what an apply ends with.
[[nodiscard]] bool nothing_left(const Plan& plan);

/// The old values of all that the plan changes or disturbs, as desired values. Elements that the
/// plan adds are desired absent.
DesiredState undo_profile(const Plan& plan);

/// Whether the port cannot be predicted after the step (a devlink reload), so that apply plans the
/// rest after it.
[[nodiscard]] bool ends_stage(const Port& before, const Step& step);
/// Whether apply has to plan more after these steps (a stage).
[[nodiscard]] bool ends_stage(const Plan& plan);
/// The desired values for planning the rest: all of them, and what a reload took away from its
/// ports that nobody stated otherwise, as optional ones.
DesiredState rest_of(const DesiredState& desired_values, const Plan& stage);
/// The undo profile of the rest, to be added to that of the stage. What an RDMA device brought that
/// came with a module of the stage is left out, as it goes with the module; other elements that may
/// go with a module are optional.
std::vector<Desired> learned(const Plan& rest, const Plan& stage);
/// The failure where the rest costs more than the plan that the user has seen; nothing where it may
/// be written.
std::optional<Finding> costs_more(const Plan& rest, const Plan& shown);
/// What ports held before a stage and do not hold now, though nobody asked for the change.
std::vector<Finding> lost_by_stage(const DesiredState& desired_values, const Plan& stage,
                                   const State& now);

/// Changes the state to what it would be after the step, side effects on other ports included.
/// After a refusal the state is unchanged.
Played play(State& state, const Step& step);
/// The same where the caller has already computed `then` as target(port, step). The port must be in
/// the state.
Played play(State& state, const Step& step, const Port& then);
/// Takes back a played step: restores its port and the other ports that changed with it.
void take_back(State& state, const Port& before, std::vector<Port> touched);

/// The other ports that the step writes: a bond's members.
std::vector<std::string> written_along(const State& state, const Step& step);

/// `now` with the step's changes and nothing else: what a codec is asked to write.
Port target(const Port& now, const Step& step);

/// The plan as the ip, dcb, rdma and ethtool commands an operator would type.
std::vector<std::string> commands(const Plan& plan);
/// A line for each change that no such command can make.
std::vector<std::string> unspelled(const Plan& plan);

}  // namespace core

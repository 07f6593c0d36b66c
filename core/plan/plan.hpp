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

/// What a step changes of one element of a field.
struct Change {
    const Field* field = nullptr;
    std::string element{};
    std::optional<Value> before{};
    std::optional<Value> after{};
    bool before_unknown = false;  ///< cannot be read before an earlier step was written
    Origin origin{};
};

/// One write to one object of one port.
struct Step {
    std::string port{};
    Object object{};
    std::vector<Change> changes{};
    Disruption disruption = Disruption::none;
    bool irreversible = false;
};

/// The steps in their order, what was found on the way, and the host before and after them.
struct Plan {
    std::vector<std::string> ports{};
    std::vector<Step> steps{};
    std::vector<Finding> findings{};
    State before{};     ///< what the plan was made from
    State predicted{};  ///< what reading will show once it is applied
};

/// An object that is written with its old value even where it reads equal, because it refused a
/// write and may hold anything.
using Force = std::set<std::pair<std::string, Object>>;

/// Computes the writes that make `state` what is desired, in order, against the state each step
/// predicts. Throws nothing: what cannot be done is a finding.
Plan make_plan(const DesiredState& desired_values, const State& state, const Force& force = {});

/// The plan that make_plan makes, but only as far as its first step, without what is predicted; the
/// whole where nothing is to be written. It costs less where only that is asked.
Plan begun_plan(const DesiredState& desired_values, const State& state);

/// Everything as desired: no step, no failure, no unknown.
[[nodiscard]] bool satisfied(const Plan& plan);
/// Can be applied: no failure but of what rocectl only reads or leaves to another program, and
/// every desired value that it would write could be read.
[[nodiscard]] bool feasible(const Plan& plan);
/// All that an apply can do is done.
[[nodiscard]] bool nothing_left(const Plan& plan);

/// The old values of all that the plan changes or disturbs, absences included, as desired values.
DesiredState undo_profile(const Plan& plan);

/// Whether nobody can foretell what the port is after the step, so that the rest is planned then.
[[nodiscard]] bool ends_stage(const Port& before, const Step& step);
/// Whether something of the plan is to be planned only once it is written.
[[nodiscard]] bool ends_stage(const Plan& plan);
/// The desired values once a stage is done: what its ports held before, and nobody states
/// otherwise, is desired back.
DesiredState rest_of(const DesiredState& desired_values, const Plan& stage);
/// What the rest found and takes away, for the way back: without what goes by itself with the RDMA
/// devices that the stage's modules brought; optional what may go with them.
std::vector<Desired> learned(const Plan& rest, const Plan& stage);
/// Why the rest may not be written: it costs more than the plan that was shown.
std::optional<Finding> costs_more(const Plan& rest, const Plan& shown);
/// What the ports of a stage held before it and do not hold now, though nobody states that.
std::vector<Finding> not_put_back(const DesiredState& desired_values, const Plan& stage,
                                  const State& now);

/// Makes the state what it would be after the step, side effects on other ports included; or the
/// device's no, and then nothing has changed.
Played play(State& state, const Step& step);
/// Makes the state what it would be after the step, or returns the device's no, where the caller
/// has computed already what the step makes of its own port: `then` (target). The port must be in
/// the state.
Played play(State& state, const Step& step, const Port& then);
/// Makes the state again what it was before a step: the port that it was for, and those that
/// changed with it.
void take_back(State& state, const Port& before, std::vector<Port> touched);

/// The ports beside its own that the step writes: members of a bond.
std::vector<std::string> written_along(const State& state, const Step& step);

/// `now` with the step's changes applied and nothing else: what a codec is asked to write.
Port target(const Port& now, const Step& step);

/// The plan as the ip, dcb, rdma and ethtool lines an operator would type.
std::vector<std::string> commands(const Plan& plan);
/// The steps for which there is no such line, one a text.
std::vector<std::string> unspelled(const Plan& plan);

}  // namespace core

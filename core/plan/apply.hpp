// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/plan/judge.hpp"
#include "core/plan/kernel.hpp"
#include "core/plan/plan.hpp"
#include "core/plan/recorder.hpp"

namespace core {

/// What became of one step.
struct Outcome {
    Step step;
    enum class Result : std::uint8_t { applied, refused, not_stored } result = Result::applied;
    std::optional<Refusal> refusal{};
    std::string text{};     ///< `ens1f0: pfc: Operation not supported (95) while setting …`
    bool optional = false;  ///< failed, and went back by itself, since nobody needs all of it
};

std::string_view word(Outcome::Result result);

/// What a whole apply did, observed and not assumed.
struct Report {
    Plan plan;                      ///< what was to be done
    std::vector<Outcome> outcomes;  ///< of the steps that were tried
    bool interrupted = false;
    Plan remaining;               ///< planned again after the last write; with what is not ready
    std::vector<Outcome> undone;  ///< steps that undid it
    std::vector<Finding> left_changed;  ///< what differs from before once it was undone
    std::vector<Finding> surprises;     ///< what was read after success and is not as predicted
    Tally tally{};                      ///< of the desired values, after success
    Status status = Status::done;
    std::uint64_t entry = 0;  ///< of the journal; 0 where nothing is kept
};

/// What a run is allowed.
struct Terms {
    std::chrono::milliseconds wait{30'000};            ///< for what the run broke, or is to bring
    std::chrono::milliseconds wait_for_others{5'000};  ///< for what was not ready before either
    bool settings_only = false;  ///< whether ports are ready is reported, and no more
};

/// Writes the plan, reads back each object, verifies the whole, and on any failure undoes what
/// it did and verifies that; but an object of which all that was refused is optional goes back by
/// itself. Never throws for what the kernel refuses; throws what the recorder
/// says to the beginning, when nothing is written yet.
Report apply(Kernel& kernel, const DesiredState& desired_values, const Plan& plan,
             Recorder& recorder, const Terms& terms = {});
/// Applies the plan on the default terms, with a recorder that keeps nothing.
Report apply(Kernel& kernel, const DesiredState& desired_values, const Plan& plan);
/// What there is to say of a plan without steps: whether the ports are ready. Status::failed where
/// that could not be read.
Report leave_as_is(Kernel& kernel, const DesiredState& desired_values, const Plan& plan,
                   const Terms& terms);

/// How two reads of a host differ in settings, and what could be read in one of them only: a
/// failure for each difference, naming both values; an unknown for what can no longer be read.
std::vector<Finding> compare(const State& before, const State& after);

/// The ports that a write of the step carries along, and those that they do: VLANs on the port, and
/// on these.
std::set<std::string> carried_by(const Step& step, const State& links);
/// The ports that a plan's writes may change and that it was made without: to be read too, so that
/// what they held can be had again. `links` has the inventory of all ports.
std::vector<std::string> carried_along(const Plan& plan, const State& links);

/// The objects that tell whether the desired values are met: those desired, what they consult, and
/// what the checks look at beside them.
Objects examined(const DesiredState& desired_values);

/// What a plan for these desired values has to read: the objects desired on the ports matched, and
/// what those bring and disturb on each driver.
Scope scope_of(const DesiredState& desired_values, const State& inventory);

}  // namespace core

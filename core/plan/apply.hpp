// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/plan/kernel.hpp"
#include "core/plan/plan.hpp"

namespace core {

/// What became of one step.
struct Outcome {
    Step step;
    enum class Result : std::uint8_t { applied, refused, not_stored } result = Result::applied;
    std::optional<Refusal> refusal{};
    std::string text{};  ///< `ens1f0: pfc: Operation not supported (95) while setting …`
};

/// What a whole apply did, observed and not assumed.
struct Report {
    Plan plan;                      ///< what was to be done
    std::vector<Outcome> outcomes;  ///< of the steps that were tried
    bool interrupted = false;
    Plan remaining;                     ///< planned again after the last write
    std::vector<Outcome> undone;        ///< steps of the way back
    std::vector<Finding> left_changed;  ///< what differs from before after the way back
    std::vector<Finding> surprises;     ///< what was read after success and is not as predicted
    Status status = Status::done;
};

/// Called after each step, for progress; returns true when the command should stop and go back.
using Progress = std::function<bool(const Outcome&)>;

/// Writes the plan, reads back each object, verifies the whole, and on any failure undoes what
/// it did and verifies that. Never throws for what the kernel refuses.
Report apply(Kernel& kernel, const Wishes& wishes, const Plan& plan, const Progress& progress);

/// How two reads of a host differ in settings, and what could be read in one of them only: a
/// failure for each difference, naming both values; an unknown for what can no longer be read.
std::vector<Finding> compare(const State& before, const State& after);

/// What a plan for these wishes has to read: the objects wished on the ports matched, and what
/// those bring and disturb on each driver.
Scope scope_of(const Wishes& wishes, const State& inventory);

}  // namespace core

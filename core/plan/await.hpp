// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "core/plan/apply.hpp"

namespace core {

/// Before a step that takes a link down: waits up to `time` until the ports whose links earlier
/// steps took down have carrier again, so that not all rails of a host are down at once. Returns
/// the failure for a link that did not come back. A port without carrier in `foreseen`, the state
/// predicted before step `next`, is not waited for.
std::optional<Finding> await_link(Kernel& kernel, const Plan& plan, std::size_t next,
                                  const State& foreseen, std::chrono::milliseconds time,
                                  Recorder& recorder);

/// Reads, before the first write, what readiness after the last one is compared with.
State read_readiness(Kernel& kernel, const DesiredState& desired_values, const Plan& plan);

/// What is not ready after the last write.
struct Readiness {
    std::vector<Finding> ours{};    ///< the run broke it, or should have brought it
    std::vector<Finding> others{};  ///< not ready before, and not for the run to bring
};

/// After the last step: waits until all ports are ready, at most as long as the terms allow.
/// `before` comes from read_readiness.
Readiness await_ready(Kernel& kernel, const DesiredState& desired_values, const Plan& plan,
                      const State& before, const Terms& terms, Recorder& recorder);

}  // namespace core

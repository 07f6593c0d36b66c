// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "core/plan/apply.hpp"

namespace core {

/// Before a step that costs a port its link: waits until the ports whose link was written before
/// have the carrier again that they had, so that not all rails of a host are down at once. The
/// failure where one has not got it in time. `foreseen` is what the host is to be before the step
/// `next`: a port that is to have no carrier then is not waited for.
std::optional<Finding> await_link(Kernel& kernel, const Plan& plan, std::size_t next,
                                  const State& foreseen, std::chrono::milliseconds time,
                                  Recorder& recorder);

/// What tells whether the ports of a plan are ready, before the first write.
State read_readiness(Kernel& kernel, const DesiredState& desired_values, const Plan& plan);

/// What is not ready after the last write.
struct Readiness {
    std::vector<Finding> ours{};    ///< the writes broke it, or should have brought it
    std::vector<Finding> others{};  ///< it was not ready before, and is not ours to bring
};

/// After the last step: waits until all ports are ready, as long as the terms say. `before` is what
/// read_readiness read.
Readiness await_ready(Kernel& kernel, const DesiredState& desired_values, const Plan& plan,
                      const State& before, const Terms& terms, Recorder& recorder);

}  // namespace core

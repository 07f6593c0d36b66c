// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/apply.hpp"

namespace core {

/// What there is to do and to say of a host.
struct ReadPlan {
    Plan plan;    ///< with what contradicts each other in what it brings about
    Scope scope;  ///< what a run that writes the plan has to read
};

/// Reads what the desired values name and what decides whether they are met, and `proofs` besides.
/// Where that leaves something to write or to say, reads the rest of what a plan needs, what its
/// steps may disturb, and plans with all of it: no object is read twice, and a host that is as
/// desired is read no further.
ReadPlan read_and_plan(Kernel& kernel, const DesiredState& desired_values, const State& inventory,
                       const Objects& proofs = {});

/// Before a write: reads also the ports that go along with one that is written, such as VLANs that
/// nobody states anything of, so that what they held comes back with it; and plans with them.
void read_along(Kernel& kernel, const DesiredState& desired_values, ReadPlan& found);

}  // namespace core

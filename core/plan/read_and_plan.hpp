// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/apply.hpp"

namespace core {

/// A plan made from a fresh read of the host.
struct ReadPlan {
    Plan plan;    ///< its findings include those of contradictions()
    Scope scope;  ///< what an apply of the plan has to read
};

/// Reads the desired objects, those that decide whether they are met, and `proofs`. If there is
/// then something to write or report, also reads what the steps may disturb and plans again. No
/// object is read twice.
ReadPlan read_and_plan(Kernel& kernel, const DesiredState& desired_values, const State& inventory,
                       const Objects& proofs = {});

/// Before a write: also reads the ports that come along with a written one, such as VLANs that no
/// profile names, and those that a kernel parameter names, and plans again, so that undo can
/// restore them.
void read_along(Kernel& kernel, const DesiredState& desired_values, ReadPlan& found);

}  // namespace core

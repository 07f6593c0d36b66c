// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/plan/apply.hpp"

namespace core {

/// The state of one apply between its first write and its last.
struct ApplyRun {
    Kernel& kernel;
    const Terms& terms;
    Recorder& recorder;
    Report& report;
    DesiredState desired_values;  ///< what is still to be applied
    /// The undo profile, with old values added that became readable only during the run.
    DesiredState before;
    State foreseen;  ///< the host as predicted before the next step
    Force force{};
    /// Notes about optional values that the device refused.
    std::vector<Finding> refused_optional{};
};

/// What to read after a write: all that the plan was made from and that its steps may change.
Scope same_scope(const Plan& plan);

/// Whether the recorder asks to stop. Notes the answer in the report.
bool is_stopped(ApplyRun& run);

/// Writes the plan's steps from number `from` on. False where a step failed that a required value
/// needs, a link did not come back, or the recorder stopped the run. A failed step that only
/// optional values need is undone by itself, and the rest is planned again without them.
bool write_steps(ApplyRun& run, std::size_t from);

/// Splits a step into parts that can succeed separately: first all required changes together, then
/// each optional change alone. Empty where no change is optional.
std::vector<Step> optional_parts(const DesiredState& desired_values, const Step& step);

}  // namespace core

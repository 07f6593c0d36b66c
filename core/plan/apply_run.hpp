// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/plan/apply.hpp"

namespace core {

/// A run on its way from the first write to the last.
struct ApplyRun {
    Kernel& kernel;
    const Terms& terms;
    Recorder& recorder;
    Report& report;
    DesiredState desired_values;  ///< what is still to be had
    DesiredState
        before;      ///< what brings back what was; what could be read only on the way is added
    State foreseen;  ///< what the host is to be before the next step
    Force force{};
    std::vector<Finding>
        refused_optional{};  ///< optional desired values that the device refused, as notes
};

/// What the plan was made from and what its steps bring, to be read again.
Scope same_scope(const Plan& plan);

/// Whether the recorder has the run stop, which the report says then.
bool is_stopped(ApplyRun& run);

/// Writes the steps of the plan until one fails that somebody needs. An object whose write serves
/// optional desired values alone goes back by itself, and the rest is planned again without them.
bool write_steps(ApplyRun& run, std::size_t from);

/// The step in parts that can be had each without the others: what is needed, and each optional
/// change alone. None where nothing of it is optional.
std::vector<Step> optional_parts(const DesiredState& desired_values, const Step& step);

}  // namespace core

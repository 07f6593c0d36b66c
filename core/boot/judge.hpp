// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/boot/service.hpp"
#include "core/model/desired.hpp"
#include "core/model/finding.hpp"
#include "core/plan/kernel.hpp"

namespace core::boot {

/// What has to be read, beside what is desired, to tell what will be there after a boot.
Scope scope_beside(const DesiredState& desired_values);

/// For each desired value a finding whether the host holds it after a boot, as far as files can
/// tell: a note where it does, with the file and the line; else why not, or why that is not known.
/// `state` has what is desired and what scope_beside names.
std::vector<Finding> after_boot(const DesiredState& desired_values, const State& state,
                                const Asked& asked);

/// Whether the finding is about a boot (after_boot).
[[nodiscard]] bool is_of_boot(const Finding& finding);

}  // namespace core::boot

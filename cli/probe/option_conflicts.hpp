// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/options.hpp"

namespace cli {

/// Throws Error (usage) for the first option on the command line that no part of the measurement
/// uses, since it would be ignored silently. `measuring` is what is measured: the options,
/// completed by the profile.
void refuse_unfit(const Options& options, const Measuring& measuring);

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/options.hpp"

namespace cli {

/// An option that nothing of what is to be measured has would be left out without a word. Throws
/// Error (usage) for the first one on the command line. `measuring` is what is measured: that of
/// the options, with what a profile says.
void refuse_unfit(const Options& options, const Measuring& measuring);

}  // namespace cli

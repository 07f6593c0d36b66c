// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/options.hpp"

namespace cli {

namespace option {
extern const OptionRow probe;  ///< --probe of apply, beside the kinds of probes
}

/// Determines the probes' arguments, which stay fixed from then on, and checks each once. Throws
/// KernelError, and Error (failed) where one does not hold now.
void check_probes(std::vector<Probe>& probes);

/// The system's text of an errno.
std::string error_words(int code);

/// Why the first failing probe fails; empty where all hold.
std::string first_failure(const std::vector<Probe>& probes);

}  // namespace cli

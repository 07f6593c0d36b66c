// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/options.hpp"

namespace cli {

/// Finds what the probes are about; whatever becomes of it later, they are about that. Throws
/// KernelError, and Error (failed) where one does not hold now.
void check_probes(std::vector<Probe>& probes);

/// What the system calls an errno.
std::string error_words(int code);

/// Why the first one that does not hold does not; empty where all do.
std::string first_failure(const std::vector<Probe>& probes);

}  // namespace cli

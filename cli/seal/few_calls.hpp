// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <vector>

#include "cli/seal/allowed_calls.hpp"

namespace cli {

/// System calls to pass on a child's output, wait for its end and kill it, in order of their
/// numbers.
std::vector<AllowedCall> calls_of_waiting(pid_t child);

/// System calls to rename or remove a file in an open folder.
std::vector<AllowedCall> calls_of_naming();

}  // namespace cli

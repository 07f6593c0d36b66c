// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <vector>

#include "cli/seal/allowed_calls.hpp"

namespace cli {

/// What it takes to hand on what a child says, to wait for its end and to end it, in order of the
/// numbers.
std::vector<AllowedCall> calls_of_waiting(pid_t child);

/// What it takes to give an open folder's file its name, or to take it away.
std::vector<AllowedCall> calls_of_naming();

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/seal/allowed_calls.hpp"

namespace cli {

/// Takes all system calls from this process that are not among the allowed ones: those are answered
/// with ENOSYS, and with EPERM where it is an argument that is not allowed. False where the kernel
/// refuses, or the machine is one that is not known. Needs no_new_privs.
bool filter_system_calls(Reach reach);

/// The same with calls of the caller's own, in order of their numbers, each once.
bool filter_system_calls(const std::vector<AllowedCall>& allowed);

}  // namespace cli

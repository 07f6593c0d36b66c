// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/seal/allowed_calls.hpp"

namespace cli {

/// Takes all system calls from this process that are not among the allowed ones: those are answered
/// with ENOSYS, and with EPERM where it is an argument that is not allowed. False where the kernel
/// refuses, or the machine is one that is not known. Needs no_new_privs.
bool filter_system_calls(SealedFor purpose);

/// Takes all system calls from this process but those of `allowed`, which has them in order of
/// their numbers, each once. Those are answered with ENOSYS, and with EPERM where it is an argument
/// that is not allowed. False where the kernel refuses. Needs no_new_privs.
bool filter_system_calls(const std::vector<AllowedCall>& allowed);

}  // namespace cli

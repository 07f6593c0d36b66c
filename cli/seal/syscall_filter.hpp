// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/seal/allowed_calls.hpp"

namespace cli {

/// Restricts this process to the system calls allowed for this purpose. Other calls get ENOSYS,
/// arguments that are not allowed EPERM. False where the kernel refuses, or the machine's
/// architecture is unknown. Needs no_new_privs.
bool filter_system_calls(SealedFor purpose);

/// Restricts this process to `allowed`, sorted by number, each number once. Other calls get ENOSYS,
/// arguments that are not allowed EPERM. False where the kernel refuses. Needs no_new_privs.
bool filter_system_calls(const std::vector<AllowedCall>& allowed);

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cli {

/// Takes the system calls from this process that make, move, remove or change files otherwise than
/// by writing to an open one, and with `opens` also opening for writing: of any file, since a
/// filter sees flags and no names. False where the kernel refuses. Needs no_new_privs.
bool filter_system_calls(bool opens);

}  // namespace cli

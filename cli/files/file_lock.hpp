// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlink/transport/host_path.hpp"

namespace cli {

/// Locks a whole file (fcntl(2), open file description locks). The lock is shared with processes
/// that inherit the descriptor, and ends when the last of them ends or one of them unlocks it.
/// False where another process has it. Throws Error (failed) that names `path`.
bool lock_file(int file, const netlink::HostPath& path);
void unlock_file(int file);

/// Whether any process holds the lock; false where the file is missing or not trustworthy
/// (own.hpp). Never waits.
bool is_locked(const netlink::HostPath& path);
/// The same of a file that is open to be read.
bool is_locked(int file);

}  // namespace cli

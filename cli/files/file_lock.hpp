// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace cli {

/// Locks a whole file (fcntl(2), open file description locks): held by each process that has the
/// file open from here, until the last of them ends or one unlocks it. False where another has it.
/// Throws Error (failed), which names `path`.
bool lock_file(int file, const std::filesystem::path& path);
void unlock_file(int file);

/// Whether anybody holds the lock; nobody does where the file is not there, or is not to be
/// believed (own.hpp). Never waits.
bool is_locked(const std::filesystem::path& path);

}  // namespace cli

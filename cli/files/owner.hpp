// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <string>

namespace cli {

/// Root's, or of the user that this process is.
bool is_own(uid_t owner);
/// Whether the owner is root, the user who started this process, or who ran sudo (SUDO_UID).
bool is_callers(uid_t owner);

/// Whether anybody may write an open file or folder but its owner, the group root and, where an
/// access control list names them (acl(5)), root and the caller.
bool others_may_write(int file, const struct stat& status);

/// `mode 0666 and owner 1000`
std::string owner_text(const struct stat& status);

/// `a device`, `a pipe`, … of what is no regular file.
std::string kind_text(const struct stat& status);

}  // namespace cli

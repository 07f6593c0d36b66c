// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <string>

namespace cli {

/// Whether the owner is root or this process's effective user.
bool is_own(uid_t owner);
/// Whether the owner is root, the user who started this process, or the user who ran sudo
/// (SUDO_UID).
bool is_callers(uid_t owner);

/// Throws Error (failed) with what fails where proc(5) is not mounted.
void expect_proc(const std::string& what_fails);

/// Whether users other than the owner may write an open file or folder. The group root does not
/// count, nor do root and the caller in an access control list (acl(5)). Throws as expect_proc does
/// where such a list may be there.
bool others_may_write(int file, const struct stat& status);

/// `mode 0666 and owner 1000`
std::string owner_text(const struct stat& status);

/// `a device`, `a pipe`, …: the kind of a file that is not regular.
std::string kind_text(const struct stat& status);

}  // namespace cli

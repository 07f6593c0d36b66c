// SPDX-License-Identifier: Apache-2.0
#include "cli/files/owner.hpp"

#include <endian.h>
#include <linux/limits.h>
#include <linux/posix_acl.h>
#include <linux/posix_acl_xattr.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "core/error.hpp"

namespace cli {
namespace {

/// Whether an entry of a list, as the kernel hands it out (linux/posix_acl_xattr.h), lets somebody
/// write who is neither root nor the caller.
bool lets_another_write(const posix_acl_xattr_entry& entry) {
    if ((le16toh(entry.e_perm) & ACL_WRITE) == 0) return false;
    const std::uint32_t id = le32toh(entry.e_id);
    switch (le16toh(entry.e_tag)) {
        case ACL_USER: return !is_callers(id);
        case ACL_GROUP: return id != 0;
        default: return false;  // what the mode says too
    }
}

bool list_lets_others_write(int file) {
    // A descriptor that is only for looking (O_PATH) has no attributes of its own.
    expect_proc("who may write a file is not seen");
    const std::string name = "/proc/self/fd/" + std::to_string(file);
    std::vector<char> list(XATTR_SIZE_MAX);
    const ssize_t length =
        ::getxattr(name.c_str(), "system.posix_acl_access", list.data(), list.size());
    if (length < 0) return errno != ENODATA && errno != EOPNOTSUPP;
    const auto end = static_cast<std::size_t>(length);
    for (std::size_t at = sizeof(posix_acl_xattr_header); at < end;) {
        posix_acl_xattr_entry entry{};
        if (end - at < sizeof(entry)) return true;
        std::memcpy(&entry, list.data() + at, sizeof(entry));
        if (lets_another_write(entry)) return true;
        at += sizeof(entry);
    }
    return false;
}

}  // namespace

void expect_proc(const std::string& what_fails) {
    if (::access("/proc/self/fd", F_OK) == 0) return;
    throw core::Error(core::Status::failed, "/proc is not mounted, and without it " + what_fails +
                                                "; expected proc(5) there");
}

bool is_own(uid_t owner) {
    return owner == 0 || owner == ::geteuid();
}

bool is_callers(uid_t owner) {
    if (owner == 0 || owner == ::getuid()) return true;
    const char* sudo = std::getenv("SUDO_UID");
    const std::string_view text = sudo == nullptr ? "" : sudo;
    uid_t user = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), user);
    return error == std::errc() && end == text.data() + text.size() && owner == user;
}

bool others_may_write(int file, const struct stat& status) {
    if ((status.st_mode & S_IWOTH) != 0) return true;
    // Where there is a list, these bits are its mask: nobody in it may more (acl(5)).
    if ((status.st_mode & S_IWGRP) == 0) return false;
    return status.st_gid != 0 || list_lets_others_write(file);
}

std::string owner_text(const struct stat& status) {
    std::array<char, 16> mode{};
    std::snprintf(mode.data(), mode.size(), "%04o", status.st_mode & 07777U);  // NOLINT(*-vararg)
    return std::string("mode ") + mode.data() + " and owner " + std::to_string(status.st_uid);
}

std::string kind_text(const struct stat& status) {
    switch (status.st_mode & S_IFMT) {
        case S_IFDIR: return "a directory";
        case S_IFIFO: return "a pipe";
        case S_IFSOCK: return "a socket";
        case S_IFLNK: return "a symbolic link";
        default: return "a device";
    }
}

}  // namespace cli

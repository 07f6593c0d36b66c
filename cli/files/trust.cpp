// SPDX-License-Identifier: Apache-2.0
#include "cli/files/trust.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <optional>
#include <string_view>

#include "core/error.hpp"

namespace cli {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kMostLinks = 40;  // as the kernel (include/linux/namei.h MAXSYMLINKS)

/// Nothing where it is not there: then opening it will say so.
std::optional<struct stat> look_at(const fs::path& path) {
    struct stat status {};
    if (lstat(path.c_str(), &status) != 0) return std::nullopt;
    return status;
}

bool is_ours(uid_t owner) {
    if (owner == 0 || owner == getuid()) return true;
    const char* sudo = std::getenv("SUDO_UID");
    const std::string_view text = sudo == nullptr ? "" : sudo;
    uid_t user = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), user);
    return error == std::errc() && end == text.data() + text.size() && owner == user;
}

bool others_may_write(const struct stat& status) {
    const bool group = (status.st_mode & S_IWGRP) != 0 && status.st_gid != 0;
    return group || (status.st_mode & S_IWOTH) != 0;
}

[[noreturn]] void refuse(const fs::path& file, const fs::path& culprit, const struct stat& status) {
    std::array<char, 16> mode{};
    std::snprintf(mode.data(), mode.size(), "%04o", status.st_mode & 07777U);  // NOLINT(*-vararg)
    const std::string about =
        culprit == file ? file.string() : file.string() + ": its directory " + culprit.string();
    throw core::Error(
        core::Status::invalid_input,
        about + ": mode " + mode.data() + " and owner " + std::to_string(status.st_uid) +
            " let others write it, and what it says is done as root; expected that only root and "
            "the caller can, or --trust-files");
}

/// The way to a file as the kernel goes it, every symbolic link included.
class Way {
public:
    explicit Way(const fs::path& file) : file_(file) { follow(fs::absolute(file)); }

    void check() {
        check_directory(at_, false);
        while (!left_.empty()) {
            const fs::path name = left_.front();
            left_.pop_front();
            if (name.empty() || name == ".") continue;
            if (name == "..") {
                at_ = at_.parent_path();
                continue;
            }
            enter(name);
        }
    }

private:
    void follow(const fs::path& path) {
        const fs::path relative = path.relative_path();
        if (path.is_absolute()) at_ = "/";
        left_.insert(left_.begin(), relative.begin(), relative.end());
    }

    void enter(const fs::path& name) {
        const fs::path next = at_ / name;
        const auto status = look_at(next);
        if (!status) return;
        if (left_.empty()) check_directory(at_, true);
        if (S_ISLNK(status->st_mode)) {
            if (++links_ > kMostLinks) return;
            if (!is_ours(status->st_uid)) refuse(file_, next, *status);
            follow(fs::read_symlink(next));
            return;
        }
        at_ = next;
        if (S_ISDIR(status->st_mode))
            check_directory(next, false);
        else if (!is_ours(status->st_uid) || others_may_write(*status))
            refuse(file_, next == fs::absolute(file_) ? file_ : next, *status);
    }

    /// What is in a sticky directory is its owner's to replace, but anybody may put more there.
    void check_directory(const fs::path& path, bool holds_file) {
        const auto status = look_at(path);
        if (!status) return;
        const bool sticky = (status->st_mode & S_ISVTX) != 0 && !holds_file;
        if (!is_ours(status->st_uid) || (others_may_write(*status) && !sticky))
            refuse(file_, path, *status);
    }

    const fs::path& file_;
    fs::path at_;
    std::deque<fs::path> left_;
    unsigned links_ = 0;
};

}  // namespace

void check_trusted(const fs::path& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) return;
    // A pipe or a terminal that the caller holds has no directory.
    const bool held = S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode);
    if (held && is_ours(status.st_uid) && (status.st_mode & S_IWOTH) == 0) return;
    Way(path).check();
}

bool is_root_of_machine() {
    if (geteuid() != 0) return false;
    std::ifstream map("/proc/self/uid_map");
    std::uint64_t inside = 0;
    std::uint64_t outside = 0;
    std::uint64_t count = 0;
    // Where the kernel has no user namespaces there is no such file.
    return !(map >> inside >> outside >> count) || count == UINT32_MAX;
}

}  // namespace cli

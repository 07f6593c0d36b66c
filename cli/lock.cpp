// SPDX-License-Identifier: Apache-2.0
#include "cli/lock.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <system_error>
#include <thread>

#include "cli/provenance.hpp"
#include "core/error.hpp"

namespace cli {
namespace {

using core::Error;
using core::Status;

constexpr std::chrono::milliseconds kStep{50};

std::filesystem::path lock_path(const std::filesystem::path& root) {
    return root / "run/rocectl/lock";
}

struct flock whole_file(short type) {
    struct flock lock = {};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    return lock;
}

bool taken(int file) {
    struct flock lock = whole_file(F_WRLCK);
    return ::fcntl(file, F_OFD_SETLK, &lock) == 0;
}

[[noreturn]] void fail(const std::filesystem::path& path, int code) {
    throw Error(Status::failed, path.string() + ": " + std::generic_category().message(code));
}

int open_lock(const std::filesystem::path& path) {
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    if (error) fail(path.parent_path(), error.value());
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (file < 0) fail(path, errno);
    return file;
}

/// Pid, start and command, a line each.
Holder read_holder(const std::filesystem::path& path) {
    Holder holder;
    std::ifstream file(path);
    std::string pid;
    std::getline(file, pid);
    holder.pid = std::strtol(pid.c_str(), nullptr, 10);
    std::getline(file, holder.start);
    std::getline(file, holder.command);
    return holder;
}

void write_holder(int file, const std::string& command) {
    const std::string text = std::to_string(::getpid()) + '\n' + utc_now() + '\n' + command + '\n';
    if (::ftruncate(file, 0) != 0 ||
        ::pwrite(file, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size()))
        throw Error(Status::failed, "the lock: " + std::generic_category().message(errno));
}

}  // namespace

std::string text(const Holder& holder) {
    return "rocectl " + holder.command + " (pid " + std::to_string(holder.pid) + ", since " +
           holder.start + ")";
}

Lock::Lock(const std::filesystem::path& root, const std::string& command,
           std::chrono::milliseconds patience) {
    const std::filesystem::path path = lock_path(root);
    file_ = open_lock(path);
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!taken(file_)) {
        if (errno != EAGAIN && errno != EACCES) fail(path, errno);
        if (std::chrono::steady_clock::now() >= end) {
            ::close(file_);
            throw Error(Status::failed,
                        "another run writes to this host: " + text(read_holder(path)) +
                            "; --lock-timeout waits for it");
        }
        std::this_thread::sleep_for(kStep);
    }
    write_holder(file_, command);
}

Lock::~Lock() {
    struct flock lock = whole_file(F_UNLCK);
    ::fcntl(file_, F_OFD_SETLK, &lock);
    ::close(file_);
}

std::optional<Holder> lock_holder(const std::filesystem::path& root) {
    const std::filesystem::path path = lock_path(root);
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0) return std::nullopt;
    struct flock lock = whole_file(F_RDLCK);
    const bool held = ::fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    ::close(file);
    if (!held) return std::nullopt;
    return read_holder(path);
}

}  // namespace cli

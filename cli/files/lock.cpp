// SPDX-License-Identifier: Apache-2.0
#include "cli/files/lock.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <sstream>
#include <thread>

#include "cli/files/durable.hpp"
#include "cli/files/file_lock.hpp"
#include "cli/files/own.hpp"
#include "cli/files/provenance.hpp"
#include "cli/files/text_file.hpp"
#include "cli/log.hpp"

namespace cli {
namespace {

using core::Error;
using core::Status;

constexpr std::chrono::milliseconds kTryAgainAfter{50};

netlink::HostPath lock_path(const netlink::Root& root) {
    return root / "run/rocectl/lock";
}

/// Pid, start and command, a line each.
Holder read_holder(const netlink::HostPath& path) {
    Holder holder;
    std::istringstream file(read_own(path));
    std::string pid;
    std::getline(file, pid);
    holder.pid = std::strtol(pid.c_str(), nullptr, 10);
    std::getline(file, holder.start);
    std::getline(file, holder.command);
    return holder;
}

std::string own_lines(const std::string& command) {
    return std::to_string(::getpid()) + '\n' + utc_now() + '\n' + command + '\n';
}

/// Throws Held where another run still has it after `timeout`.
void wait_for_lock(int file, const netlink::HostPath& path, std::chrono::milliseconds timeout) {
    const auto end = std::chrono::steady_clock::now() + timeout;
    while (!lock_file(file, path)) {
        if (std::chrono::steady_clock::now() >= end)
            throw Held(Status::failed,
                       "another run writes to this host: " + text(read_holder(path)) +
                           "; --lock-timeout waits for it");
        std::this_thread::sleep_for(kTryAgainAfter);
    }
}

void note_holder(int file, const netlink::HostPath& path, const std::string& command) {
    try {
        if (::lseek(file, 0, SEEK_SET) != 0) throw failure(path);
        write_over(file, path, own_lines(command));
    } catch (const Error& error) {
        // It is held all the same; who waits for it reads less.
        log_warning("who writes is not noted: " + std::string(error.what()));
    }
}

}  // namespace

std::string text(const Holder& holder) {
    return "rocectl " + holder.command + " (pid " + std::to_string(holder.pid) + ", since " +
           holder.start + ")";
}

Lock::Lock(const netlink::Root& root, const std::string& command,
           std::chrono::milliseconds timeout) {
    const netlink::HostPath path = lock_path(root);
    make_own_folder(path.parent_path());
    // Who could open it could hold it, and keep root out for ever.
    file_ = open_own(path, O_RDWR | O_CREAT, 0600);
    struct stat there {};
    if (::fstat(file_.number(), &there) != 0 ||
        ((there.st_mode & 077U) != 0 && ::fchmod(file_.number(), 0600) != 0))
        throw failure(path);
    wait_for_lock(file_.number(), path, timeout);
    note_holder(file_.number(), path, command);
}

Lock::~Lock() {
    unlock_file(file_.number());
}

std::optional<Holder> lock_holder(const netlink::Root& root) {
    const netlink::HostPath path = lock_path(root);
    if (!is_locked(path)) return std::nullopt;
    return read_holder(path);
}

bool sees_lock(const netlink::Root& root) {
    return open_host_file(lock_path(root), O_RDONLY | O_NONBLOCK).number() >= 0 || errno != EACCES;
}

std::unique_ptr<SharedLock> SharedLock::of(int file, const netlink::Root& root,
                                           const std::string& command,
                                           std::chrono::milliseconds timeout,
                                           const std::function<void(const std::string&)>& without) {
    const netlink::HostPath path = lock_path(root);
    try {
        wait_for_lock(file, path, timeout);
        auto lock = std::make_unique<SharedLock>(file);
        note_holder(file, path, command);
        return lock;
    } catch (const Error& error) {
        without(error.what());
        return nullptr;
    }
}

SharedLock::~SharedLock() {
    unlock_file(file_);
}

}  // namespace cli

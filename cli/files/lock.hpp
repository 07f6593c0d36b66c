// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "netlink/transport/descriptor.hpp"
#include "netlink/transport/host_path.hpp"

namespace cli {

/// The process that holds the lock.
struct Holder {
    long pid = 0;
    std::string command{};
    std::string start{};  ///< UTC
};
std::string text(const Holder& holder);

/// The right to write to the host, held by one run at a time: a lock on /run/rocectl/lock
/// (fcntl(2), open file description locks). A child that outlives the run holds it too, until it
/// ends or the run releases it.
class Lock {
public:
    /// Waits up to `timeout`. Throws Held where another run still has the lock, and Error (failed)
    /// where the file cannot be made or is not trustworthy (own.hpp).
    Lock(const netlink::Root& root, const std::string& command, std::chrono::milliseconds timeout);
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
    ~Lock();
    /// The open file, which a child process inherits and shares the lock by (SharedLock).
    [[nodiscard]] int number() const { return file_.number(); }

private:
    netlink::Descriptor file_;
};

/// The lock, through the file that a Lock of the parent process had open: taken at once as long as
/// the parent has it, and without a file to be opened. Null where another run holds it for all of
/// `timeout`, or its file cannot be used; `without` is then called with the reason. Throws no
/// Error.
class SharedLock {
public:
    static std::unique_ptr<SharedLock> of(int file, const netlink::Root& root,
                                          const std::string& command,
                                          std::chrono::milliseconds timeout,
                                          const std::function<void(const std::string&)>& without);
    explicit SharedLock(int file) : file_(file) {}
    SharedLock(const SharedLock&) = delete;
    SharedLock& operator=(const SharedLock&) = delete;
    ~SharedLock();

private:
    int file_;
};

/// Another run has the lock; the message names it.
class Held : public core::Error {
public:
    using core::Error::Error;
};

/// The lock's holder; nothing where there is none, or this process may not see it. Never waits.
std::optional<Holder> lock_holder(const netlink::Root& root);
/// Whether this process may see the lock's holder.
bool sees_lock(const netlink::Root& root);

}  // namespace cli

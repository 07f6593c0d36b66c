// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "netlink/transport/descriptor.hpp"

namespace cli {

/// Who writes to the host at the moment.
struct Holder {
    long pid = 0;
    std::string command{};
    std::string start{};  ///< UTC
};
std::string text(const Holder& holder);

/// The right to write to the host, which one run has at a time: a lock on /run/rocectl/lock
/// (fcntl(2), open file description locks). A child that a run leaves behind has it too, until it
/// ends or the run releases it.
class Lock {
public:
    /// Waits for `timeout` at most. Throws Error (failed) that names who has it.
    Lock(const std::filesystem::path& root, const std::string& command,
         std::chrono::milliseconds timeout);
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
    ~Lock();

private:
    netlink::Descriptor file_;
};

/// Who has the lock; nothing where nobody has. Never waits.
std::optional<Holder> lock_holder(const std::filesystem::path& root);

}  // namespace cli

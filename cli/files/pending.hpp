// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "netlink/transport/descriptor.hpp"

namespace cli {

/// Time since boot, including suspend (clock_gettime(2), CLOCK_BOOTTIME).
std::chrono::milliseconds since_boot();

/// An apply that is undone unless it is confirmed, as stored in /run/rocectl/pending.
struct Pending {
    std::uint64_t entry = 0;               ///< in the journal
    std::chrono::milliseconds deadline{};  ///< since boot
    long guard = 0;                        ///< pid of the process that will undo it
    bool guarded = false;                  ///< that process is alive
    bool operator==(const Pending&) const = default;
};

/// The pending apply; nothing where there is none, or the file is from an earlier boot. Throws
/// Error (failed) where another user could have written it.
std::optional<Pending> read_pending(const std::filesystem::path& root);
/// Time left until the deadline; 0 when it has passed.
std::chrono::milliseconds time_left(const Pending& pending);
/// `apply 12 waits to be confirmed, 87 s left`.
std::string text(const Pending& pending);

/// Replaces the deadline of the pending apply. The caller must hold the lock. Throws Error.
void extend_pending(const std::filesystem::path& root, const Pending& pending);
/// Removes the pending apply. The caller must hold the lock.
void remove_pending(const std::filesystem::path& root);

/// The pending file; the guard holds it open as long as it lives. Throws Error (failed) where it
/// cannot be made.
class PendingFile {
public:
    PendingFile(const std::filesystem::path& root, const Pending& pending);

private:
    netlink::Descriptor file_;
};

}  // namespace cli

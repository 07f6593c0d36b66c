// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "netlink/transport/descriptor.hpp"

namespace cli {

/// Time since the kernel started, suspend counted (clock_gettime(2), CLOCK_BOOTTIME).
std::chrono::milliseconds since_boot();

/// An apply that is undone unless it is confirmed: /run/rocectl/pending.
struct Pending {
    std::uint64_t entry = 0;               ///< of the journal
    std::chrono::milliseconds deadline{};  ///< since boot
    long guard = 0;                        ///< pid of the process that undoes it
    bool guarded = false;                  ///< that process lives
    bool operator==(const Pending&) const = default;
};

/// What is pending; nothing where nothing is, or the file is of an earlier start of the kernel.
/// Throws Error (failed) where somebody else could have written it.
std::optional<Pending> read_pending(const std::filesystem::path& root);
/// What is left of the time; 0 where it is over.
std::chrono::milliseconds time_left(const Pending& pending);
/// `apply 12 waits to be confirmed, 87 s left`.
std::string text(const Pending& pending);

/// Gives the pending apply another deadline. Only the holder of the lock may. Throws Error.
void extend_pending(const std::filesystem::path& root, const Pending& pending);
/// Nothing is pending any more. Only the holder of the lock may.
void remove_pending(const std::filesystem::path& root);

/// The file, held by the guard as long as it lives. Throws Error (failed) where it cannot be made.
class PendingFile {
public:
    PendingFile(const std::filesystem::path& root, const Pending& pending);

private:
    netlink::Descriptor file_;
};

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "netlink/transport/descriptor.hpp"
#include "netlink/transport/host_path.hpp"

namespace cli {

/// Time since boot, including suspend (clock_gettime(2), CLOCK_BOOTTIME), as the host counts it:
/// the same in every time namespace (time_namespaces(7)).
std::chrono::milliseconds since_boot();

/// An apply that is undone unless it is confirmed, as stored in /run/rocectl/pending.
struct Pending {
    enum class Phase : std::uint8_t { writing, waiting, going_back, confirmed };
    std::uint64_t entry = 0;               ///< in the journal
    std::chrono::milliseconds deadline{};  ///< since boot; of going_back, until when it is tried
    long guard = 0;                        ///< pid of the process that will undo it
    bool guarded = false;                  ///< that process is alive
    bool stalled = false;                  ///< it is stopped, or has not gone back when it was to
    Phase phase = Phase::waiting;
    std::vector<std::string> away{};  ///< of going_back: ports that are not there
    bool operator==(const Pending&) const = default;
};
/// `writing`, `waiting`, `going-back` or `confirmed`.
std::string_view word(Pending::Phase phase);

/// The pending apply; nothing where there is none, or the file is from an earlier boot. Where the
/// kernel does not tell which boot this is, it counts as of this one. Throws Error (failed) where
/// another user could have written it, or it is not as a guard writes it.
std::optional<Pending> read_pending(const netlink::Root& root);
/// Time left until the deadline; 0 when it has passed.
std::chrono::milliseconds time_left(const Pending& pending);
/// `apply 12 waits to be confirmed, 87 s left`.
std::string text(const Pending& pending);

/// Replaces the deadline of the pending apply. The caller must hold the lock. Throws Error.
void extend_pending(const netlink::Root& root, const Pending& pending);
/// Removes the pending apply. The caller must hold the lock.
void remove_pending(const netlink::Root& root);

/// How the guard of a pending apply took a confirmation.
enum class Taken : std::uint8_t {
    kept,       ///< it has ended, or will, since it was confirmed
    went_back,  ///< it was on the way back before
    unseen      ///< it goes on, and does not see the confirmation
};

/// The pending file of a guard that runs, held open to see how that ends.
class PendingReader {
public:
    /// Throws Error (failed) where it cannot be opened.
    explicit PendingReader(const netlink::Root& root);
    /// After the confirmation: waits a few seconds until the guard has ended. One of an earlier
    /// release leaves no word, and counts as `kept` where it was not on the way back.
    [[nodiscard]] Taken taken() const;

private:
    netlink::HostPath path_;
    netlink::Descriptor file_;
};

/// The pending file; the guard holds it open, and locked, as long as it lives.
class PendingFile {
public:
    /// Throws Error (failed) where it cannot be made.
    PendingFile(const netlink::Root& root, const Pending& pending);

    /// Whether it is at its place still.
    [[nodiscard]] bool is_there() const;
    /// The deadline that it states; nothing where it is not at its place, or says nothing of the
    /// entry.
    [[nodiscard]] std::optional<std::chrono::milliseconds> deadline() const;
    /// Writes what is pending now, in a new file where this one is gone or has other lengths.
    /// Throws Error (failed) where it cannot be written; what was in it stays then.
    void write(const Pending& pending);
    /// Leaves word, for who holds it open (PendingReader), that a confirmation is why it goes.
    void note_confirmed() const;

private:
    void make(const Pending& pending);

    netlink::HostPath path_;
    std::string boot_;
    netlink::Descriptor file_{};
    std::uint64_t entry_ = 0;
    std::size_t size_ = 0;
};

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace core {

/// When a watched host is read again: soon after a notification, once more when its consequences
/// have had time to show, counters every 2 s, and everything every 30 s. Never twice in a second,
/// however many notifications there are, and never for more than a fifth of the time.
class PollSchedule {
public:
    using Time = std::chrono::milliseconds;
    enum class Read : std::uint8_t { nothing, counted, whole };

    PollSchedule() = default;
    /// `counts`: whether there are counters to read.
    explicit PollSchedule(bool counts) : counts_(counts) {}

    /// A notification arrived.
    void notified(Time now);
    /// The host was read, from the one time to the other.
    void was_read(Read what, Time begin, Time end);
    [[nodiscard]] Read due(Time now) const;
    /// When something is due next.
    [[nodiscard]] Time next() const;

private:
    [[nodiscard]] Time whole_at() const;
    [[nodiscard]] Time counted_at() const;

    bool counts_ = true;
    Time whole_end_{};
    Time any_end_{};
    Time whole_cost_{};
    Time counted_cost_{};
    std::optional<Time> notified_{};  ///< the first since it was read
    std::optional<Time> after_{};     ///< when it is read once more
    bool began_ = false;
};

}  // namespace core

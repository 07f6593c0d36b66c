// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace core {

/// When a host that is watched is read again: soon after something was reported, once more when
/// what follows from that has had its time, what is counted every 2 s, and all every 30 s. Never
/// twice in a second, however much is reported, and never for more than a fifth of the time.
class PollSchedule {
public:
    using Time = std::chrono::milliseconds;
    enum class Read : std::uint8_t { nothing, counted, whole };

    PollSchedule() = default;
    /// `counts` says whether there is anything counted.
    explicit PollSchedule(bool counts) : counts_(counts) {}

    /// Something was reported.
    void notifications(Time now);
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
    std::optional<Time> notifications_{};  ///< the first since it was read
    std::optional<Time> after_{};          ///< when it is read once more
    bool began_ = false;
};

}  // namespace core

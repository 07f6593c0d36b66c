// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>

namespace verbs {

/// A work request that did not end well: what ibv_wc says of it (ibv_poll_cq(3)).
class Incomplete : public std::runtime_error {
public:
    Incomplete(const std::string& text, unsigned status, unsigned vendor_error)
        : std::runtime_error(text), status_(status), vendor_error_(vendor_error) {}
    [[nodiscard]] unsigned status() const { return status_; }  ///< enum ibv_wc_status
    [[nodiscard]] unsigned vendor_error() const { return vendor_error_; }

private:
    unsigned status_;
    unsigned vendor_error_;
};

/// Nothing, or not all, came in the time there was.
class TimeOver : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// What ends a loop that polls: a deadline, and whatever `between`, which is called about every ten
/// milliseconds, throws.
class Wait {
public:
    using Clock = std::chrono::steady_clock;

    Wait(std::chrono::milliseconds limit, std::function<void()> between);

    /// To be called once a turn. Throws TimeOver, and what `between` throws.
    void turn() {
        if ((++turns_ & kMask) == 0) check();
    }
    void check();
    /// How many messages are done, of how many, for the words of TimeOver.
    void count(std::uint64_t done, std::uint64_t of) {
        done_ = done;
        of_ = of;
    }

private:
    static constexpr std::uint64_t kMask = 0xFF;
    bool yields_;
    std::uint64_t turns_ = 0;
    std::uint64_t done_ = 0;
    std::uint64_t of_ = 0;
    Clock::time_point end_;
    Clock::time_point checked_{};
    std::function<void()> between_;
};

/// How long ago that was.
inline std::uint64_t nanoseconds_since(Wait::Clock::time_point start) {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(Wait::Clock::now() - start).count());
}

}  // namespace verbs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <deque>

#include "core/doctor/diagnosis.hpp"

namespace core {

/// A host that is examined repeatedly. Counters are compared with a reading of some seconds ago, so
/// a finding about them lasts that long.
class SampledHost {
public:
    /// The inquiry of the host, with no reading yet.
    SampledHost(Kernel& kernel, Inquiry inquiry);

    /// Reads everything that the checks need.
    void read_whole();
    /// Updates only the counters, which have no notifications.
    void read_counted();
    /// Adds the kernel's notifications until now.
    void hear();
    [[nodiscard]] const State& state() const { return now_; }
    /// Runs the checks on the last reading. The result refers to that reading, and is valid until
    /// the next one.
    Diagnosis diagnose();

private:
    struct Past {
        std::chrono::milliseconds time{};
        State state{};
    };
    void keep_sample();

    Kernel& kernel_;
    Inquiry inquiry_;
    Objects counted_{};
    State now_{};
    std::chrono::milliseconds read_at_{};
    std::deque<Past> samples_{};  ///< what was counted, the oldest in front
};

/// Puts what was read anew of these objects in the place of what was read before.
void renew(State& state, const State& more, const Objects& objects);

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <deque>

#include "core/doctor/diagnosis.hpp"

namespace core {

/// A host that is read and looked at again and again. What is counted is compared with a reading of
/// some seconds ago, so that what was found in it stays found for so long.
class SampledHost {
public:
    /// What may change the answer to the inquiry, which has no reading yet.
    SampledHost(Kernel& kernel, Inquiry inquiry);

    /// Reads all that the checks look at.
    void read_whole();
    /// Reads only what counts, which nobody advertises, into what was read before.
    void read_counted();
    /// Takes in what the kernel reported until now.
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

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <deque>
#include <vector>

#include "core/doctor/diagnosis.hpp"

namespace core {

/// Reads what the checks that were asked for look at: of every port what tells those of the fabric,
/// and where checks compare ports with each other their addresses and routes; of the ports of the
/// fabric, of what is on them and of the host the rest. `whole`: and all settings and facts but
/// those that are read on demand.
State read_host(Kernel& kernel, const Inquiry& inquiry, bool whole = false);

/// The objects to read for rows that compare two readings, with those that identify a port; a part
/// read alone may hold less (a PCI address that the driver knows).
Objects counted_objects(const Inquiry& inquiry);
/// Reads these objects of the ports that the state has.
State read_counted(Kernel& kernel, const State& state, const Objects& counted);

/// What was counted so many seconds after the first reading.
struct Sample {
    State state{};
    double seconds = 0;
};

/// The earlier of two readings, and how long it was before the later one.
struct Earlier {
    State state{};
    double seconds = 0;
    std::vector<Sample> samples{};  ///< counters read in between
    SetDowns set_down{};            ///< ports set down so far, by the kernel's notifications
};

/// Adds the kernel's notifications of ports that were set down: after the last reading, which may
/// count them.
void hear(Kernel& kernel, Earlier& earlier);

/// Reads, and waits for the time to be over: by the door's clock, since a state file has its own.
/// Meanwhile what is counted is read up to so many times, not more than four times in a second.
Earlier read_before(Kernel& kernel, const Inquiry& inquiry, std::chrono::milliseconds window,
                    unsigned samples = 0);

/// 0 where nobody says when either was read, or the clock was set back.
double seconds_between(const State& earlier, const State& now);

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
    /// the next one. `today` is as in the inquiry, and takes the place of what that has.
    Diagnosis diagnose(std::string today);

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

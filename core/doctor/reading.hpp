// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <vector>

#include "core/doctor/examination.hpp"

namespace core {

/// Reads what the checks that were asked for look at: of every port what tells those of the fabric,
/// and where checks compare ports with each other their addresses and routes; of the ports of the
/// fabric, of what is on them and of the host the rest. `whole`: and all settings and facts but
/// those that are read on demand.
State read_host(Kernel& kernel, const Inquiry& inquiry, bool whole = false);

/// What is read of ports for the rows that compare two readings, with what tells one port from
/// another: a part that is read alone may be less of it (a PCI address that the driver knows).
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
    std::vector<Sample> samples{};  ///< what was counted meanwhile
    SetDowns set_down{};            ///< what the kernel reported of ports that were, so far
};

/// Takes in what the kernel has reported of ports that were set down: after the last reading,
/// which may count them.
void hear(Kernel& kernel, Earlier& earlier);

/// Reads, and waits for the time to be over: by the door's clock, since a state file has its own.
/// Meanwhile what is counted is read up to so many times, not more than four times in a second.
Earlier read_before(Kernel& kernel, const Inquiry& inquiry, std::chrono::milliseconds window,
                    unsigned samples = 0);

/// 0 where nobody says when either was read, or the clock was set back.
double seconds_between(const State& earlier, const State& now);

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#include "verbs/probe/run_parts.hpp"

#include <algorithm>

#include "core/drivers/counters.hpp"
#include "verbs/probe/messages.hpp"

namespace verbs {
namespace {

using core::probe::ClassCounts;
using core::probe::ClassTrial;
using core::probe::Message;
using core::probe::Operation;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds kIdle{1000};
constexpr unsigned kLongestRefresh = 10'000;

/// What both ports have counted at one moment.
struct Reading {
    ClassCounts here{};
    ClassCounts peer{};
    milliseconds refresh{};  ///< what is counted stands there after that time
    Clock::time_point time{};
};

Reading read_both(ProbeClient& client, core::Kernel& kernel) {
    const core::Port port = read_counters(kernel, client.rail());
    const Message said = client.ask({.kind = "counters"});
    const auto there = core::probe::number_in(said, "refresh", 0, kLongestRefresh);
    const unsigned here = core::refresh_ms(port.device ? port.device->driver : "");
    return {.here = core::probe::class_counts(port),
            .peer = counts_in(said),
            .refresh = milliseconds(std::max<std::uint64_t>(here, there)),
            .time = Clock::now()};
}

double seconds(const Reading& from, const Reading& to) {
    return std::chrono::duration<double>(to.time - from.time).count();
}

/// What comes without the probe.
struct Idle {
    ClassCounts here{};
    ClassCounts peer{};
    double seconds = 0;
};

Idle listen(ProbeClient& client, core::Kernel& kernel) {
    const Reading before = read_both(client, kernel);
    client.pause(std::max(kIdle, before.refresh));
    const Reading after = read_both(client, kernel);
    return {.here = core::probe::grown(before.here, after.here),
            .peer = core::probe::grown(before.peer, after.peer),
            .seconds = seconds(before, after)};
}

ClassTrial prove(ProbeClient& client, core::Kernel& kernel, const Idle& idle, Operation operation,
                 const ClassDesired& desired) {
    const Reading before = read_both(client, kernel);
    core::probe::Measurement load = desired.load;
    load.operation = operation;
    const core::probe::Trial trial = measure(client, load);
    client.pause(before.refresh);
    const Reading after = read_both(client, kernel);
    const double times = seconds(before, after) / idle.seconds;
    ClassTrial out = core::probe::travelled(
        operation, desired.traffic_class,
        core::probe::without(core::probe::grown(before.here, after.here), idle.here, times),
        core::probe::without(core::probe::grown(before.peer, after.peer), idle.peer, times),
        trial.bandwidth->messages * trial.wire_bytes);
    // Where nobody says which, both ends are to have the same.
    if (const auto priority = desired.priority ? desired.priority : out.data.sent_in)
        out.faults = core::probe::class_faults(out, {.priority = *priority,
                                                     .cnp_priority = desired.cnp_priority,
                                                     .lossless_here = after.here.lossless,
                                                     .lossless_there = after.peer.lossless});
    return out;
}

}  // namespace

std::vector<ClassTrial> prove_classes(ProbeClient& client, core::Kernel& kernel,
                                      const ClassDesired& desired) {
    constexpr std::array kLoads = {Operation::write, Operation::read};
    const Idle idle = listen(client, kernel);
    ClassDesired unset = desired;
    unset.traffic_class = 0;
    unset.priority = std::nullopt;
    std::vector<ClassTrial> out;
    for (const ClassDesired* one : {&desired, static_cast<const ClassDesired*>(&unset)}) {
        client.set_traffic_class(one->traffic_class);
        for (const Operation operation : kLoads)
            out.push_back(prove(client, kernel, idle, operation, *one));
    }
    client.set_traffic_class(desired.traffic_class);
    return out;
}

}  // namespace verbs

// SPDX-License-Identifier: Apache-2.0
#include "verbs/wait.hpp"

#include <unistd.h>

#include <string>
#include <thread>
#include <utility>

namespace verbs {
namespace {

/// A check is a system call or more: one a millisecond was half of what a read of 20 us cost, since
/// soft RoCE falls asleep meanwhile.
constexpr std::chrono::milliseconds kBetweenChecks{10};

/// Where there is one processor, the other side or the kernel's part needs it to go on: a scheduler
/// lets whoever polls have it for its whole turn otherwise, 4 ms a message.
bool has_one_processor() {
    return ::sysconf(_SC_NPROCESSORS_ONLN) == 1;
}

std::string over_text(std::uint64_t done, std::uint64_t of) {
    if (done == 0) return "nothing came in time";
    return std::to_string(done) + " of " + std::to_string(of) +
           " messages came in time: the path is slow, or a side gets too little of a processor; "
           "--time-limit gives it longer";
}

}  // namespace

Wait::Wait(std::chrono::milliseconds limit, std::function<void()> between)
    : yields_(has_one_processor()), end_(Clock::now() + limit), between_(std::move(between)) {}

void Wait::check() {
    if (yields_) std::this_thread::yield();
    const Clock::time_point now = Clock::now();
    if (now >= end_) throw TimeOver(over_text(done_, of_));
    if (!between_ || now - checked_ < kBetweenChecks) return;
    checked_ = now;
    between_();
}

}  // namespace verbs

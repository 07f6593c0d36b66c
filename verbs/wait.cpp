// SPDX-License-Identifier: Apache-2.0
#include "verbs/wait.hpp"

#include <string>

namespace verbs {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{1};

std::string over_text(std::uint64_t done, std::uint64_t of) {
    if (done == 0) return "nothing came in time";
    return std::to_string(done) + " of " + std::to_string(of) +
           " messages came in time: the path is slow, or a side gets too little of a processor; "
           "--time-limit gives it longer";
}

}  // namespace

void Wait::check() {
    const Clock::time_point now = Clock::now();
    if (now >= end_) throw TimeOver(over_text(done_, of_));
    if (!look_ || now - looked_ < kBetweenLooks) return;
    looked_ = now;
    look_();
}

}  // namespace verbs

// SPDX-License-Identifier: Apache-2.0
#include "verbs/wait.hpp"

namespace verbs {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{1};

}  // namespace

void Wait::check() {
    const Clock::time_point now = Clock::now();
    if (now >= end_) throw TimeOver("nothing came in time");
    if (!look_ || now - looked_ < kBetweenLooks) return;
    looked_ = now;
    look_();
}

}  // namespace verbs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>

#include "core/plan/apply.hpp"

namespace core {

/// What a step writes, and what tells whether it did.
Scope scope_of_step(const Step& step);

/// Writes one step and reads the object back until it is as asked or its settle time has passed.
Outcome take(Kernel& kernel, const Step& step);

/// Old values of the step's object that could be read only now, as wishes to have them again.
std::vector<Wish> learn(Kernel& kernel, const Step& step);

/// Reads until it is as it should be, or the time has passed: by the clock, or by what the kernel
/// says that it waited (a state file has no clock).
template <typename AsItShouldBe>
void read_until(Kernel& kernel, const Scope& scope, std::chrono::milliseconds time,
                const AsItShouldBe& done) {
    using std::chrono::milliseconds;
    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + time;
    while (!done(kernel.read(scope))) {
        const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
        const auto some = std::min({time, left, milliseconds(100)});
        if (some.count() <= 0) return;
        if (!kernel.wait(scope, some)) time -= some;
    }
}

/// The longest time that a write of the plan may take to show, or may disturb what another one
/// stored, as one that costs the link does.
std::chrono::milliseconds longest_settle(const Plan& plan);

}  // namespace core

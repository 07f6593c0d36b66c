// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>

#include "core/plan/apply.hpp"

namespace core {

/// What a step writes, and what tells whether it did.
Scope scope_of_step(const Step& step);

/// Writes one step and reads the object back until it is as asked or its settle time has passed.
Outcome write_step(Kernel& kernel, const Step& step);

/// Why it failed, without what it is about: `Operation not supported (95) while setting …`.
std::string reason_of(const Outcome& outcome);

/// Old values of the step's object that could be read only now, as desired values to have them
/// again.
std::vector<Desired> learn(Kernel& kernel, const Step& step);

/// Reads until it is as it should be, or the time has passed.
template <typename AsItShouldBe>
void read_until(Kernel& kernel, const Scope& scope, std::chrono::milliseconds time,
                const AsItShouldBe& done) {
    const auto deadline = kernel.time() + time;
    while (!done(kernel.read(scope))) {
        const auto left = deadline - kernel.time();
        if (left.count() <= 0) return;
        static_cast<void>(kernel.wait(scope, std::min(left, std::chrono::milliseconds(100))));
    }
}

/// The longest time that a write of the plan may take to show, or may disturb what another one
/// stored, as one that costs the link does.
std::chrono::milliseconds longest_settle(const Plan& plan);

}  // namespace core

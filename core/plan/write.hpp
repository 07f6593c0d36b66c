// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>

#include "core/plan/apply.hpp"

namespace core {

/// What to read for one step: its object, and what shows whether the write took effect.
Scope scope_of_step(const Step& step);

/// Writes one step and reads its object back until it has the new values or the settle time of its
/// row is over.
Outcome write_step(Kernel& kernel, const Step& step);

/// Why the step failed, without port and object: `Operation not supported (95) while setting …`.
std::string reason_of(const Outcome& outcome);

/// Old values of the step's object that only an earlier step made readable, as desired values of
/// the undo profile.
std::vector<Desired> learn(Kernel& kernel, const Step& step);

/// Reads the scope until `done` accepts the state or the time is over. Reads at least once.
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

/// The longest settle time among the plan's steps: how long reads may still show old values.
std::chrono::milliseconds longest_settle(const Plan& plan);

}  // namespace core

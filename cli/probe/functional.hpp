// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cli/probe/client.hpp"
#include "core/probe/report.hpp"

namespace cli {

/// The result of a functional run.
struct Functional {
    std::vector<core::probe::PathCheck> checks{};
    std::string failure{};  ///< a sentence; empty where all works
    std::string advice{};
};

/// Runs each operation once at each size and compares the contents on both sides: SEND in both
/// directions, WRITE, WRITE with immediate data, READ, and the two atomics where both devices
/// support them. A failure's text gives the smallest failing size, the direction, and whether the
/// peer is alive.
Functional run_functional(ProbeClient& client);

}  // namespace cli

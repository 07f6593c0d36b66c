// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cli/probe/client.hpp"
#include "core/probe/report.hpp"

namespace cli {

/// What a functional run found.
struct Functional {
    std::vector<core::probe::PathCheck> checks{};
    std::string failure{};  ///< a sentence; empty where all works
    std::string advice{};
};

/// Each operation once at each size, with the contents looked at on both sides: SEND both ways,
/// WRITE, WRITE with immediate data, READ, and the two atomics where both devices have them. What
/// fails is put in words: from which size on, in which direction, and whether the peer is there.
Functional run_functional(ProbeClient& client);

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "cli/probe/client.hpp"
#include "cli/probe/measure.hpp"
#include "core/plan/kernel.hpp"
#include "core/probe/classes.hpp"

namespace cli {

/// The class that data should travel in, as far as known.
struct ClassDesired {
    std::uint8_t traffic_class = 106;
    std::optional<unsigned> priority{};
    std::optional<unsigned> cnp_priority{};
    Load load{};
};
/// Loads the path with writes and reads, once with the traffic class and once without, like an
/// application that sets none, and reads both ports' per-priority counters around each. Throws what
/// measure_bandwidth throws.
std::vector<core::probe::ClassTrial> prove_classes(ProbeClient& client, core::Kernel& kernel,
                                                   const ClassDesired& desired);

}  // namespace cli

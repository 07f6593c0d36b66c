// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "cli/probe/client.hpp"
#include "cli/probe/measure.hpp"
#include "core/plan/kernel.hpp"
#include "core/probe/classes.hpp"

namespace cli {

/// How data is to travel, as far as that is known.
struct ClassDesired {
    std::uint8_t traffic_class = 106;
    std::optional<unsigned> priority{};
    std::optional<unsigned> cnp_priority{};
    Load load{};
};
/// Loads the path with writes and with reads, with the traffic class and then with none, as of an
/// application that sets none, and reads around each what both ports count by priority. Throws what
/// measure_bandwidth throws.
std::vector<core::probe::ClassTrial> prove_classes(ProbeClient& client, core::Kernel& kernel,
                                                   const ClassDesired& desired);

}  // namespace cli

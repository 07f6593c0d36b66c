// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

#include "cli/probe/client.hpp"
#include "core/probe/report.hpp"

namespace cli {

/// Messages of one size to and fro, one at a time. Throws Incomplete, TimeOver, Interrupted, what
/// the channel throws, and Error (failed).
core::probe::Trial measure_latency(ProbeClient& client, core::probe::Operation operation,
                                   std::uint64_t size, std::uint64_t iterations);

/// How much is sent at once, and for how long.
struct Load {
    std::uint64_t size = 65536;
    unsigned queue_pairs = 1;
    unsigned depth = 128;
    std::chrono::milliseconds duration{1000};
    std::uint64_t messages = 0;       ///< instead of the duration, where it is not 0
    std::uint64_t bits_a_second = 0;  ///< at most; 0: as many as go
    core::probe::Direction direction = core::probe::Direction::out;
};
/// As much as the load allows, posted by this side, by the peer, or by both. Throws the same.
core::probe::Trial measure_bandwidth(ProbeClient& client, core::probe::Operation operation,
                                     const Load& load);

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

#include "cli/probe/client.hpp"
#include "core/probe/report.hpp"

namespace cli {

/// Ping-pong of messages of one size, one at a time. Throws Incomplete, TimeOver, Interrupted, what
/// the control connection throws, and Error (failed).
core::probe::Trial measure_latency(ProbeClient& client, core::probe::Operation operation,
                                   std::uint64_t size, std::uint64_t iterations);

/// The load of a bandwidth measurement.
struct Load {
    std::uint64_t size = 65536;
    unsigned queue_pairs = 1;
    unsigned depth = 128;
    std::chrono::milliseconds duration{1000};
    std::uint64_t messages = 0;       ///< instead of the duration, if not 0
    std::uint64_t bits_a_second = 0;  ///< rate limit; 0: none
    core::probe::Direction direction = core::probe::Direction::out;
};
/// Sends as much as the load allows, posted by this side, the peer, or both. Throws as
/// measure_latency.
core::probe::Trial measure_bandwidth(ProbeClient& client, core::probe::Operation operation,
                                     const Load& load);

}  // namespace cli

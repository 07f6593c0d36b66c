// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/probe/caller.hpp"
#include "cli/probe/measure.hpp"
#include "cli/probe/streams.hpp"

namespace cli {

/// Data connections beside the one of the channel, by the tokens of it. Throws Error (failed),
/// PeerGone, PeerSilent.
Streams join_streams(Caller& caller, unsigned connections);

/// The same measurements as over queue pairs, over TCP connections of their own, with the same
/// traffic class, way of completion and bounds. Throw StreamBroken, TimeOver, Interrupted, what the
/// channel throws, and Error (failed).
core::probe::Trial measure_tcp_latency(Caller& caller, std::uint64_t size,
                                       std::uint64_t iterations);
core::probe::Trial measure_tcp_bandwidth(Caller& caller, const Load& load);

}  // namespace cli

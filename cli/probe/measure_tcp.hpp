// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/probe/client.hpp"
#include "cli/probe/measure.hpp"
#include "cli/probe/streams.hpp"

namespace cli {

/// Data connections beside the one of the channel, by the tokens of it. Throws Error (failed),
/// PeerGone, PeerSilent.
Streams join_streams(ProbeClient& client, unsigned connections);

/// Latency and bandwidth over TCP connections of their own, with the traffic class, the way of
/// completion and the bounds of the measurements over queue pairs (measure.hpp). Throw
/// StreamBroken, TimeOver, Interrupted, what the channel throws, and Error (failed).
core::probe::Trial measure_tcp_latency(ProbeClient& client, std::uint64_t size,
                                       std::uint64_t iterations);
core::probe::Trial measure_tcp_bandwidth(ProbeClient& client, const Load& load);

}  // namespace cli

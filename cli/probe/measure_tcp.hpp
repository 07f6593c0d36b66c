// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/probe/client.hpp"
#include "cli/probe/measure.hpp"
#include "cli/probe/streams.hpp"

namespace cli {

/// Opens data connections beside the control connection, authenticated by its tokens. Throws Error
/// (failed), PeerGone, PeerSilent.
Streams join_streams(ProbeClient& client, unsigned connections);

/// Latency and bandwidth over separate TCP connections, with the traffic class, way of completion
/// and limits of the measurements over queue pairs (measure.hpp). Throw StreamBroken, TimeOver,
/// Interrupted, what the control connection throws, and Error (failed).
core::probe::Trial measure_tcp_latency(ProbeClient& client, std::uint64_t size,
                                       std::uint64_t iterations);
core::probe::Trial measure_tcp_bandwidth(ProbeClient& client, const Load& load);

}  // namespace cli

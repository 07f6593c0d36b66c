// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/probe/figures.hpp"
#include "verbs/bandwidth.hpp"
#include "verbs/streams.hpp"

namespace verbs {

/// Ping-pong of messages of one size over a data connection, one at a time.
struct Echo {
    std::uint64_t size = 2;
    std::uint64_t iterations = 1000;
};
/// The active side. Returns the times from each message's send to the next one's in nanoseconds, as
/// with RDMA. Throws StreamBroken, Error (failed) where other bytes come back, and what `wait`
/// throws.
std::vector<std::uint64_t> ping_by_tcp(Streams& streams, const Echo& what, Wait& wait);
/// The side that echoes.
void pong_by_tcp(Streams& streams, const Echo& what, Wait& wait);

/// Sends as many messages as possible over all connections, then ends them. The time covers handing
/// them to the kernel; the caller continues it until the peer has them all.
core::probe::Bandwidth stream_by_tcp(Streams& streams, const Stream& what, Wait& wait);
/// Receives until all connections have ended; returns the number of bytes.
std::uint64_t receive_stream_by_tcp(Streams& streams, Wait& wait);

}  // namespace verbs

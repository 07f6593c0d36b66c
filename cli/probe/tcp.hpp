// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "cli/probe/streams.hpp"
#include "core/probe/figures.hpp"
#include "verbs/bandwidth.hpp"

namespace cli {

/// Messages of one size to and fro over a data connection, one at a time.
struct Echo {
    std::uint64_t size = 2;
    std::uint64_t iterations = 1000;
};
/// The side that begins: the times from each message's send to the next's in nanoseconds, as with
/// RDMA. Throws StreamBroken, Error (failed) where other bytes come back, and what `wait` throws.
std::vector<std::uint64_t> ping_by_tcp(Streams& streams, const Echo& what, verbs::Wait& wait);
/// The side that sends back what comes.
void pong_by_tcp(Streams& streams, const Echo& what, verbs::Wait& wait);

/// As many messages as go in the time, over all connections, and the end of each. The time is what
/// it took to hand all of them to the kernel: who measures counts on until the peer has them.
core::probe::Bandwidth stream_by_tcp(Streams& streams, const verbs::Stream& what,
                                     verbs::Wait& wait);
/// The side that takes them until all connections have ended: how many bytes came.
std::uint64_t receive_stream_by_tcp(Streams& streams, verbs::Wait& wait);

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/probe/figures.hpp"
#include "verbs/endpoint.hpp"

namespace verbs {

/// Messages that go to and fro, one at a time.
struct PingPong {
    core::probe::Operation operation = core::probe::Operation::send;
    std::uint64_t size = 2;  ///< bytes of payload, at least 1
    std::uint64_t iterations = 1000;
};

/// The side that begins. The times from each post to the next in nanoseconds, as perftest takes
/// them (src/perftest_resources.c run_iter_lat, run_iter_lat_send, run_iter_lat_write): of `write`
/// each side asks the last byte of its memory, of the others their completion queues. Throws
/// Incomplete, TimeOver and what `wait` throws.
std::vector<std::uint64_t> ping(Endpoint& endpoint, const PingPong& what, Wait& wait);

/// What the other side is to have posted before the first message comes.
void prepare_pong(Endpoint& endpoint, const PingPong& what);
/// The side that answers, for as many messages; of reads there is nothing to answer.
void pong(Endpoint& endpoint, const PingPong& what, Wait& wait);

}  // namespace verbs

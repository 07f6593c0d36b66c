// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/probe/parameters.hpp"
#include "verbs/transport.hpp"

namespace verbs {

/// The side that begins with messages that go to and fro, one at a time. The times from each post
/// to the next in nanoseconds, as perftest takes them (src/perftest_resources.c run_iter_lat,
/// run_iter_lat_send, run_iter_lat_write): of `write` each side asks the last byte of its memory,
/// of the others what was completed. Throws Incomplete, StreamBroken, TimeOver and what `wait`
/// throws.
std::vector<std::uint64_t> ping(Transport& over, const core::probe::Measurement& what, Wait& wait);

/// What either side is to have posted before the first message comes.
void prepare_pong(Transport& over, const core::probe::Measurement& what);
/// The side that answers, for as many messages; of reads there is nothing to answer.
void pong(Transport& over, const core::probe::Measurement& what, Wait& wait);

}  // namespace verbs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/probe/parameters.hpp"
#include "core/probe/payload.hpp"
#include "verbs/transport.hpp"

namespace verbs {

/// What came of calls: the time of each from its post to its reply, and of all of them, in
/// nanoseconds.
struct Called {
    std::vector<std::uint64_t> times{};
    std::uint64_t nanoseconds = 0;
};

/// Requests that a queue pair of `depth` calls has to hold: the server's data and its reply, twice,
/// since a reply may have come before its sender knows.
constexpr unsigned requests_of(unsigned depth) {
    return 4 * depth;
}

/// Where the heads and the data of calls lie in either half: over TCP, where nothing is one-sided,
/// a head and its data are one message.
core::probe::CallRoom room_of(const core::probe::Measurement& what);

/// The client of a storage system: SENDs a request and receives the reply by SEND; in between the
/// other side moves the data, one-sided, but for TCP, where they go with the head. Throws
/// Incomplete, StreamBroken, TimeOver, Error (failed) for a reply other than agreed, and what
/// `wait` throws.
Called call(Transport& over, const core::probe::Measurement& what, Wait& wait);

/// What the side that asks, or the other, is to have posted before the first message comes.
void prepare_calls(Transport& over, const core::probe::Measurement& what, bool asks);
/// The side that serves them: WRITE of the data into the client's memory, or READ out of it, and
/// then the reply. Throws the same.
void answer(Transport& over, const core::probe::Measurement& what, Wait& wait);

}  // namespace verbs

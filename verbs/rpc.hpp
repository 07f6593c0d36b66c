// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/probe/payload.hpp"
#include "verbs/endpoint.hpp"

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

/// The client of a storage system: SENDs a request and receives the reply by SEND; in between the
/// other side moves the data, one-sided. Throws Incomplete, TimeOver, Error (failed) for a reply
/// other than agreed, and what `wait` throws.
Called call(Endpoint& endpoint, const core::probe::Calls& what, Wait& wait);

/// What either side is to have posted before the first request comes.
void prepare_calls(Endpoint& endpoint, const core::probe::Calls& what);
/// The side that serves them: WRITE of the data into the client's memory, or READ out of it, and
/// then the reply. Throws the same.
void answer(Endpoint& endpoint, const core::probe::Calls& what, Wait& wait);

}  // namespace verbs

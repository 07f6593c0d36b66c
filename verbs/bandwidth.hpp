// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

#include "core/probe/figures.hpp"
#include "verbs/endpoint.hpp"

namespace verbs {

/// Messages of one direction, as many as go.
struct Stream {
    core::probe::Operation operation = core::probe::Operation::write;
    std::uint64_t size = 65536;
    unsigned depth = 128;                      ///< requests of a queue pair under way
    std::uint64_t messages = 0;                ///< 0: as many as the time takes
    std::chrono::milliseconds duration{1000};  ///< where no number is given
    std::uint64_t bits_a_second = 0;           ///< payload at most; 0: as much as goes
};

/// The side that measures: posts as much as the depths allow until the messages or the time are
/// over, and counts to the last completion, payload alone; what `between` does is done again and
/// again meanwhile. Throws Incomplete and what `wait` and `between` throw.
core::probe::Bandwidth send_stream(Endpoint& endpoint, const Stream& what, Wait& wait,
                                   const std::function<void()>& between = {});

/// What the other side is to have posted before the first message comes.
void prepare_receive_stream(Endpoint& endpoint, const Stream& what);
/// The next that has come already, with room made for another; false where none has.
bool take_one(Endpoint& endpoint, const Stream& what);
/// The other side of `send`: receives until `expected`, which is asked in between, is reached; it
/// says 0 as long as nobody knows how many come. Of the other operations the other side does
/// nothing.
std::uint64_t receive_stream(Endpoint& endpoint, const Stream& what, Wait& wait,
                             const std::function<std::uint64_t()>& expected,
                             std::uint64_t received = 0);

}  // namespace verbs

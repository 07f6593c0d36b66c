// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "core/probe/parameters.hpp"
#include "verbs/transport.hpp"

namespace verbs {

/// One side of a bandwidth: the client sends where its direction is not `in`, receives where it is
/// not `out`; the server the other way round.
struct StreamSide {
    bool client = false;
    /// Told how many messages this side has sent, all of which are complete.
    std::function<void(std::uint64_t messages)> sent = [](std::uint64_t) {};
    /// How many messages come; 0 as long as nobody knows.
    std::function<std::uint64_t()> expected{};
};
/// Whether that side of it sends.
bool sends(const core::probe::Measurement& what, bool client);

/// What that side is to have posted before the first message comes.
void prepare_stream(Transport& over, const core::probe::Measurement& what, bool client);
/// Posts as much as the depths allow until the time is over, and counts to the last completion,
/// payload alone: over TCP what the kernel has taken is complete. Receives, meanwhile and
/// afterwards, until as many messages have come as are expected; of what is one-sided nothing is
/// received. Throws Incomplete, StreamBroken and what `wait` and the functions throw.
core::probe::Bandwidth run_stream(Transport& over, const core::probe::Measurement& what,
                                  const StreamSide& side, Wait& wait);

}  // namespace verbs

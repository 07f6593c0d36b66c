// SPDX-License-Identifier: Apache-2.0
#include "core/probe/flow.hpp"

#include <algorithm>

namespace core::probe {
namespace {

/// The least that an answer is awaited for with the timeout 14 of these queue pairs: 4.096 us *
/// 2^14 = 67 ms, less what the clock of a driver may be short of.
constexpr std::uint64_t kSentAgain = 60'000'000;
/// One late answer may be a host that was busy; two of one path are none by chance.
constexpr std::uint64_t kLate = 2;

}  // namespace

std::uint32_t flow_label(unsigned pair) {
    // An odd factor: 14 bits, all of them different.
    constexpr std::uint32_t kFactor = 10'007;
    return (pair + 1) * kFactor & 0x3FFFU;
}

std::uint16_t source_port(std::uint32_t flow_label) {
    const std::uint32_t low = (flow_label & 0x03FFFU) ^ ((flow_label & 0xFC000U) >> 14U);
    return static_cast<std::uint16_t>(low | 0xC000U);
}

std::uint64_t sent_again(const FlowPath& path) {
    std::uint64_t out = 0;
    for (const Histogram::Step& step : path.times.steps())
        if (step.from >= kSentAgain) out += step.count;
    return out;
}

bool loses_packets(const FlowPath& path) {
    return !path.failure.empty() || sent_again(path) >= kLate;
}

std::string words_of(const std::vector<FlowPath>& paths) {
    const auto lossy = static_cast<std::size_t>(std::ranges::count_if(paths, loses_packets));
    if (lossy == 0) return {};
    std::string which;
    for (const FlowPath& path : paths) {
        if (!loses_packets(path)) continue;
        which += which.empty() ? "" : ", ";
        which += std::to_string(path.source_port);
    }
    std::string out = std::to_string(lossy) + " of " + std::to_string(paths.size()) +
                      " source ports lose packets: " + which + '\n';
    out += lossy == paths.size()
               ? "all of them: it is no single one of several ways\n"
               : "the others do not: one of several ways (an ECMP next hop, a member of a link "
                 "aggregate) is bad; compare the switches' counters of discards and errors\n";
    return out;
}

}  // namespace core::probe

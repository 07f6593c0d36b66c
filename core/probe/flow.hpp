// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/probe/histogram.hpp"

namespace core::probe {

/// A flow label of its own for each queue pair of a run, never 0, from 0 to 16382; each gives
/// another UDP source port, and neighbours are far from each other.
std::uint32_t flow_label(unsigned pair);
/// The UDP source port that the kernel makes of a flow label (include/rdma/ib_verbs.h
/// rdma_flow_label_to_udp_sport).
std::uint16_t source_port(std::uint32_t flow_label);

/// What came of short writes over one queue pair with a flow label of its own.
struct FlowPath {
    std::uint32_t flow_label = 0;
    std::uint16_t source_port = 0;
    Histogram times{};      ///< from post to completion
    std::string failure{};  ///< empty where all were completed
};

/// How many of its writes took so long that they were sent again: as long as the transport waits
/// for an answer, or longer.
std::uint64_t sent_again(const FlowPath& path);
bool loses_packets(const FlowPath& path);

/// What a person should know, one sentence a line: "3 of 16 source ports lose packets: …".
std::string words_of(const std::vector<FlowPath>& paths);

}  // namespace core::probe

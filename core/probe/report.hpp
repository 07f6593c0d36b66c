// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/probe/classes.hpp"
#include "core/probe/expectation.hpp"
#include "core/probe/figures.hpp"
#include "core/probe/flow.hpp"
#include "core/probe/histogram.hpp"
#include "core/probe/packet_losses.hpp"
#include "core/probe/path_mtu.hpp"

namespace core::probe {

/// One RDMA operation, done once for each size.
struct PathCheck {
    std::string name{};  ///< "send", "write with immediate", "compare and swap"
    std::vector<std::uint64_t> sizes{};
    bool skipped = false;
    std::string why{};  ///< it failed, or was left out, and at which size; empty where it works
};

/// Processor time of the two sides while something was measured, as a share of one processor.
struct ProcessorShare {
    double here = 0;
    double peer = 0;
};

struct Latency {
    Histogram times{};  ///< half round trips of send and write, whole ones of read
    PerftestLatency perftest{};
};

/// What was measured of one operation.
struct Trial {
    Operation operation = Operation::send;
    std::uint64_t size = 0;
    unsigned queue_pairs = 1;
    unsigned depth = 1;  ///< 0: nothing is counted, as in a stream of TCP
    std::string completion{};
    std::string data{};  ///< of an RPC: "read", from the server, or "write", to it; else empty
    std::optional<Latency> latency{};
    Direction direction = Direction::out;  ///< of the bandwidth
    std::optional<Bandwidth> bandwidth{};
    std::optional<Bandwidth> back{};  ///< of both at the same time: what the peer posted
    /// Payload of all that was carried, in 10^9 bits a second.
    [[nodiscard]] double total_gigabits() const {
        return (bandwidth ? bandwidth->gigabits() : 0) + (back ? back->gigabits() : 0);
    }
    std::uint64_t wire_bytes = 0;  ///< of one message on the wire; 0: not known
    ProcessorShare processor{};
};

/// One step of connecting by rdma_cm, and how long it took.
struct CmStep {
    std::string name{};  ///< "resolve address"
    std::uint64_t nanoseconds = 0;
};

/// What came of connecting by rdma_cm (rdma_cm(7)).
struct CmReport {
    std::string device{};         ///< chosen by rdma_cm; empty where none was
    std::vector<CmStep> steps{};  ///< those that were done
    std::string failure{};        ///< the step that failed, and its event; empty where all worked
    std::string advice{};
};

/// The meaning of the failure by the catalogue of error texts; empty where it is unknown.
std::string meaning_of(std::string_view failure);

/// One end of the path.
struct End {
    std::string port{};
    std::string device{};
    std::string address{};
    std::uint32_t gid_index = 0;
};

/// What one run found.
struct PathReport {
    End here{};
    End peer{};
    std::uint32_t mtu = 0;  ///< RDMA MTU of the path in bytes
    std::uint8_t traffic_class = 0;
    std::string completion{};
    std::vector<PathCheck> checks{};
    std::optional<CmReport> cm{};   ///< where it was asked for
    std::optional<PathMtu> path{};  ///< where it was asked for
    std::vector<FlowPath> flows{};  ///< where they were asked for
    std::vector<Trial> trials{};
    std::optional<unsigned> priority{};  ///< intended for data, where known
    std::vector<ClassTrial> classes{};
    std::vector<PacketLoss> packet_losses{};  ///< that both ends counted while it ran
    std::vector<Outcome> outcomes{};
    std::string fallback{};  ///< RDMA was left out, and why, as a sentence
    std::string failure{};   ///< what ended the run before its end, as a sentence
    std::string advice{};    ///< what to look at then
};

/// What a person should know of the bandwidths one way, the other and together, one sentence a
/// line: that one way carries much less than the other, or the two together less than they do in
/// turn.
std::string direction_words(const std::vector<Trial>& trials);

}  // namespace core::probe

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/probe/direction.hpp"
#include "core/probe/expectation.hpp"
#include "core/probe/figures.hpp"

namespace cli {

/// The largest message, and the most queue pairs and requests, that one side makes for the other.
inline constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 20;
inline constexpr unsigned kMostPairs = 64;
inline constexpr unsigned kMostDepth = 4096;

/// What the command line said of a measurement.
struct Measuring {
    std::string bind{};                   ///< ADDRESS or ADDRESS:PORT
    std::optional<std::string> secret{};  ///< a file
    bool no_secret = false;
    bool once = false;
    bool force = false;
    std::string device{};
    std::string port{};
    bool all = false;                                  ///< rails of both hosts
    bool managed = false;                              ///< connect by rdma_cm too
    bool path = false;                                 ///< find the MTU of the path
    unsigned flows = 0;                                ///< queue pairs with flow labels
    std::vector<core::probe::Operation> operations{};  ///< none: all
    bool functional = false;  ///< each operation once, and nothing measured
    bool bandwidth = false;
    bool classes = false;
    std::vector<core::probe::Direction> directions{};  ///< of it; none: out
    std::uint64_t size = 0;                            ///< 0: what perftest has
    std::uint64_t iterations = 1000;
    unsigned queue_pairs = 1;
    unsigned depth = 0;  ///< 0: what perftest has
    std::chrono::milliseconds duration{1000};
    std::uint64_t bits_a_second = 0;
    std::chrono::milliseconds limit{10'000};  ///< for one measurement
    std::optional<std::uint8_t> dscp{};       ///< nothing: as the profile or the host has it
    std::string profile{};
    std::string completion{"poll"};
    std::vector<core::probe::Expectation> expectations{};
    // Each with each: of one combination `size`, `depth` and `completion` say which.
    std::vector<std::uint64_t> sizes{0};
    std::vector<unsigned> depths{0};
    std::vector<std::string> completions{"poll"};
    bool first_depth = true;  ///< what no depth has is measured with the first alone
};

/// All operations that are to be measured, each once: those that are named, and those of which
/// something is expected; the three of verbs where that is none.
std::vector<core::probe::Operation> operations_of(const Measuring& measuring);
/// Whether one of them is of verbs, so that without RDMA nothing can be said.
bool needs_rdma(const Measuring& measuring);
/// Whether one of them goes by RDMA where both sides have it.
bool uses_rdma(const Measuring& measuring);
/// Whether the bandwidth of that one is measured too: it was asked for, or is expected.
bool wants_bandwidth(const Measuring& measuring, core::probe::Operation operation);
/// What is left of it where there is no RDMA: neither operations of verbs nor what is expected of
/// them.
Measuring without_verbs(Measuring measuring);
/// Whether one of them takes TCP connections for data.
bool uses_tcp(const Measuring& measuring);
/// Each completion with each size with each depth.
std::vector<Measuring> combinations_of(const Measuring& measuring);

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/probe/expectation.hpp"
#include "core/probe/figures.hpp"

namespace core::probe {

/// Limits of what one side allocates for the other: bytes of a message, queue pairs, outstanding
/// requests.
inline constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 20;
inline constexpr unsigned kMostPairs = 64;
inline constexpr unsigned kMostDepth = 4096;

/// What is to be measured of a path, and how.
struct Parameters {
    bool force = false;
    std::string device{};
    std::string port{};
    bool all = false;                     ///< all rails of both hosts
    bool managed = false;                 ///< also connect by rdma_cm
    bool path = false;                    ///< measure the path MTU
    unsigned flows = 0;                   ///< queue pairs with a flow label each
    std::vector<Operation> operations{};  ///< empty: all
    bool functional = false;              ///< each operation once, without measuring
    bool bandwidth = false;
    bool classes = false;
    std::vector<Direction> directions{};  ///< of the bandwidth; empty: out
    std::uint64_t size = 0;               ///< 0: default of perftest
    std::uint64_t iterations = 1000;
    unsigned queue_pairs = 1;
    unsigned depth = 0;  ///< 0: default of perftest
    std::chrono::milliseconds duration{1000};
    std::uint64_t bits_a_second = 0;
    std::chrono::milliseconds limit{10'000};  ///< for one measurement
    std::optional<std::uint8_t> dscp{};       ///< nothing: from the profile or the host
    std::string profile{};
    std::string completion{"poll"};
    std::vector<Expectation> expectations{};
    // Measured in every combination; `size`, `depth` and `completion` hold the current one.
    std::vector<std::uint64_t> sizes{0};
    std::vector<unsigned> depths{0};
    std::vector<std::string> completions{"poll"};
    bool first_depth = true;  ///< operations without a depth run with the first only
};

/// One measurement, which both sides do together: the client says to the server what it is.
struct Measurement {
    Operation operation = Operation::send;
    /// As many messages as go in the duration; else `number` of them to and fro, or calls.
    bool bandwidth = false;
    Direction direction = Direction::out;  ///< of a bandwidth
    std::uint64_t size = 2;                ///< of a message, or of the data of a call
    unsigned queue_pairs = 1;              ///< or TCP connections
    unsigned depth = 1;                    ///< requests of a queue pair, or calls, under way
    std::uint64_t number = 1000;
    std::chrono::milliseconds duration{1000};
    std::uint64_t bits_a_second = 0;  ///< of a bandwidth: payload at most; 0: as much as goes
    bool writes = false;              ///< the data of calls goes to the server, else from it
    bool checked = false;             ///< both sides look at all of the data, which takes time
};
inline bool uses_tcp(const Measurement& measurement) {
    return measurement.operation == Operation::tcp || measurement.operation == Operation::tcp_rpc;
}
inline bool is_calls(const Measurement& measurement) {
    return measurement.operation == Operation::rpc || measurement.operation == Operation::tcp_rpc;
}

/// The operations to measure, each once: those named and those with an expectation. Where there are
/// none, the three of RDMA.
std::vector<Operation> operations_of(const Parameters& parameters);
/// Whether an RDMA operation is among them, which makes RDMA mandatory.
bool needs_rdma(const Parameters& parameters);
/// Whether an operation among them uses RDMA where both sides have it.
bool uses_rdma(const Parameters& parameters);
/// Whether to measure this operation's bandwidth: requested, or expected.
bool wants_bandwidth(const Parameters& parameters, Operation operation);
/// The measurement without RDMA operations and their expectations, for hosts without RDMA.
Parameters without_rdma(Parameters parameters);
/// Whether an operation among them needs TCP data connections.
bool uses_tcp(const Parameters& parameters);
/// One Parameters for each combination of completion, size and depth.
std::vector<Parameters> combinations_of(const Parameters& parameters);

}  // namespace core::probe

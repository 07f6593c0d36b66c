// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace core::probe {

/// What is measured.
enum class Operation : std::uint8_t { send, write, read, tcp, rpc, tcp_rpc };
/// By RDMA: what is measured if nothing is named.
inline constexpr Operation kOperations[] = {Operation::send, Operation::write, Operation::read};
/// Whether it is an operation of RDMA itself: a send, a write or a read.
bool is_rdma_operation(Operation operation);
std::string_view name_of(Operation operation);
/// Nothing where none has the name.
std::optional<Operation> find_operation(std::string_view name);

/// Who posts the messages of a bandwidth: the side that asks, its peer, or both at the same time.
/// The payload of sends and writes goes away from who posts, that of reads comes to it.
enum class Direction : std::uint8_t { out, in, both };
inline constexpr Direction kDirections[] = {Direction::out, Direction::in, Direction::both};
std::string_view name_of(Direction direction);
/// Nothing where none has the name.
std::optional<Direction> find_direction(std::string_view name);

/// What perftest prints of a latency test, in microseconds.
struct PerftestLatency {
    std::uint64_t iterations = 0;
    double min = 0;
    double max = 0;
    double typical = 0;
    double average = 0;
    double deviation = 0;
    double percentile99 = 0;
    double percentile999 = 0;
};

/// The figures of perftest (src/perftest_resources.c print_report_lat, 4.5): of the times from one
/// post to the next, in nanoseconds and in any order, the two longest are left out, the median is
/// the element in the middle, percentiles are elements by ceil(), and of `send` and `write`, where
/// a time is a round trip, all is halved. The deviation is the true one: perftest's is rounded to
/// whole microseconds on the way. Of fewer than three times nothing is known.
PerftestLatency perftest_latency(Operation operation, std::span<const std::uint64_t> times);

/// What was carried in a time, and by how many messages.
struct Bandwidth {
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;        ///< of payload
    std::uint64_t nanoseconds = 0;  ///< from the first post to the last completion
    /// Payload in 10^9 bits a second.
    [[nodiscard]] double gigabits() const;
    /// Payload in 2^20 bytes a second, as perftest prints it.
    [[nodiscard]] double mebibytes() const;
    /// Messages in 10^6 a second.
    [[nodiscard]] double million_messages() const;
};

/// Bytes on the wire for a message of `size` bytes of payload sent in packets of `mtu` bytes over
/// RoCE v2 (InfiniBand Architecture Annex A17): Ethernet with preamble, gap and check sequence,
/// IPv4 or IPv6, UDP, base transport header, invariant CRC; RETH once for writes. Of RDMA alone:
/// how TCP cuts a stream is its own.
std::uint64_t wire_bytes(Operation operation, std::uint64_t size, std::uint32_t mtu, bool ipv6);

}  // namespace core::probe

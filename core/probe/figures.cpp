// SPDX-License-Identifier: Apache-2.0
#include "core/probe/figures.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace core::probe {
namespace {

constexpr Operation kAll[] = {Operation::send, Operation::write, Operation::read,
                              Operation::tcp,  Operation::rpc,   Operation::tcp_rpc};

/// perftest's LAT_MEASURE_TAIL.
constexpr std::size_t kTail = 2;

double microseconds(std::uint64_t nanoseconds, double divisor) {
    return static_cast<double>(nanoseconds) / (1000 * divisor);
}

}  // namespace

std::string_view name_of(Operation operation) {
    switch (operation) {
        case Operation::send: return "send";
        case Operation::write: return "write";
        case Operation::read: return "read";
        case Operation::tcp: return "tcp";
        case Operation::rpc: return "rpc";
        case Operation::tcp_rpc: return "tcp-rpc";
    }
    return "";
}

bool is_rdma_operation(Operation operation) {
    return std::ranges::find(kOperations, operation) != std::ranges::end(kOperations);
}

std::optional<Operation> find_operation(std::string_view name) {
    for (const Operation one : kAll)
        if (name_of(one) == name) return one;
    return std::nullopt;
}

PerftestLatency perftest_latency(Operation operation, std::span<const std::uint64_t> times) {
    PerftestLatency out;
    if (times.size() <= kTail) return out;
    std::vector<std::uint64_t> sorted(times.begin(), times.end());
    std::ranges::sort(sorted);
    const double divisor = operation == Operation::read ? 1 : 2;
    const std::size_t kept = sorted.size() - kTail;
    const auto part = [&](double share) {
        const auto index = static_cast<std::size_t>(std::ceil(static_cast<double>(kept) * share));
        return microseconds(sorted[std::min(index, sorted.size() - 1)], divisor);
    };
    // One more than there are times: those are between two posts.
    out.iterations = times.size() + 1;
    out.min = microseconds(sorted.front(), divisor);
    out.max = microseconds(sorted[kept], divisor);
    const std::size_t middle = kept / 2;
    out.typical =
        kept % 2 == 1
            ? microseconds(sorted[middle], divisor)
            : (microseconds(sorted[middle], divisor) + microseconds(sorted[middle - 1], divisor)) /
                  2;
    double sum = 0;
    for (std::size_t i = 0; i < kept; ++i)
        sum += microseconds(sorted[i], divisor);
    out.average = sum / static_cast<double>(kept);
    double squares = 0;
    for (std::size_t i = 0; i < kept; ++i) {
        const double distance = microseconds(sorted[i], divisor) - out.average;
        squares += distance * distance;
    }
    out.deviation = std::sqrt(squares / static_cast<double>(kept));
    out.percentile99 = part(0.99);
    out.percentile999 = part(0.999);
    return out;
}

double Bandwidth::gigabits() const {
    return nanoseconds == 0 ? 0 : static_cast<double>(bytes) * 8 / static_cast<double>(nanoseconds);
}

double Bandwidth::mebibytes() const {
    return nanoseconds == 0
               ? 0
               : static_cast<double>(bytes) / 1048576 * 1e9 / static_cast<double>(nanoseconds);
}

double Bandwidth::million_messages() const {
    return nanoseconds == 0
               ? 0
               : static_cast<double>(messages) * 1000 / static_cast<double>(nanoseconds);
}

std::uint64_t wire_bytes(Operation operation, std::uint64_t size, std::uint32_t mtu, bool ipv6) {
    // Preamble and start 8, header 14, check sequence 4, gap 12; UDP 8, BTH 12, ICRC 4.
    const std::uint64_t each = 8 + 14 + 4 + 12 + (ipv6 ? 40U : 20U) + 8 + 12 + 4;
    const std::uint64_t packets = size == 0 || mtu == 0 ? 1 : (size + mtu - 1) / mtu;
    constexpr std::uint64_t kReth = 16;
    constexpr std::uint64_t kAeth = 4;  // in the first, the last or the only response of a read
    std::uint64_t more = 0;
    if (operation == Operation::write) more = kReth;
    if (operation == Operation::read) more = packets == 1 ? kAeth : 2 * kAeth;
    return size + packets * each + more;
}

std::string_view name_of(Direction direction) {
    switch (direction) {
        case Direction::out: return "out";
        case Direction::in: return "in";
        case Direction::both: return "both";
    }
    return "";
}

std::optional<Direction> find_direction(std::string_view name) {
    for (const Direction one : kDirections)
        if (name_of(one) == name) return one;
    return std::nullopt;
}

}  // namespace core::probe

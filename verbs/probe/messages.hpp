// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "core/model/ip.hpp"
#include "core/probe/classes.hpp"
#include "core/probe/message.hpp"
#include "core/probe/packet_losses.hpp"
#include "core/probe/parameters.hpp"
#include "core/probe/report.hpp"
#include "verbs/endpoint.hpp"

namespace verbs {

/// Interval at which a waiting side asks the other whether it is alive.
inline constexpr std::chrono::milliseconds kBetweenInquiries{2000};
/// The longest IP packet sent to find a path MTU.
inline constexpr std::uint32_t kMostPacket = 65535;
/// Limits of calls in flight: their bytes, and their number; each takes four requests.
inline constexpr std::uint64_t kMostRoom = std::uint64_t{64} << 20;
inline constexpr unsigned kMostCalls = core::probe::kMostDepth / 4;
/// Limits of one measurement: messages, and milliseconds.
inline constexpr std::uint64_t kMostMessages = 100'000'000;
inline constexpr std::uint64_t kLongestRun = 600'000;

/// Writes an endpoint's address to a message, and reads it. Throws Error (failed) where there is
/// none, or it has not `pairs` queue pairs.
void put_address(core::probe::Message& message, const EndpointAddress& address);
EndpointAddress address_in(const core::probe::Message& message, unsigned pairs);

/// What an endpoint or data connections have to have room for: requests under way, and bytes.
unsigned requests_for(const core::probe::Measurement& work);
std::uint64_t room_for(const core::probe::Measurement& work);
/// The message that asks the server for its part of a measurement, and what stands in one. Throws
/// Error (failed) where it is none, or asks for more than the limits.
core::probe::Message message_of(const core::probe::Measurement& work,
                                std::chrono::milliseconds limit);
core::probe::Measurement work_in(const core::probe::Message& message);

/// Writes a port's counts to a message, and reads them. Throws Error (failed).
void put_counts(core::probe::Message& message, const core::probe::ClassCounts& counts);
core::probe::ClassCounts counts_in(const core::probe::Message& message);

/// Writes a port's counts of lost packets to a message, and reads them. Counts missing in the
/// message are missing in the result.
void put_packet_losses(core::probe::Message& message,
                       const core::probe::PacketLosses& packet_losses);
core::probe::PacketLosses packet_losses_in(const core::probe::Message& message);
/// The address in a message. Throws Error (failed) where it is invalid.
core::Ip address_said(const core::probe::Message& message);

/// An unpredictable number.
std::uint64_t random_token();

/// The way of completion with this name. Throws Error (failed).
Completion completion_named(const std::string& name);

/// CPU time of this process, in microseconds (getrusage(2)).
std::uint64_t processor_time();

/// CPU time and wall time since construction, in microseconds.
class CpuTime {
public:
    /// CPU time as a share of wall time on each side. Each side uses its own clock, since the side
    /// that waits starts earlier.
    [[nodiscard]] core::probe::ProcessorShare share(const core::probe::Message& ended) const {
        const auto reported = [&ended](const char* name) {
            return static_cast<double>(core::probe::number_in(ended, name, 0, UINT32_MAX));
        };
        const auto part = [](double of, double in) { return in <= 0 ? 0 : of / in; };
        return {.here = part(static_cast<double>(processor_time() - before_), wall()),
                .peer = part(reported("processor"), reported("elapsed"))};
    }
    void tell(core::probe::Message& ended) const {
        ended.numbers["processor"] = processor_time() - before_;
        ended.numbers["elapsed"] = static_cast<std::uint64_t>(wall());
    }

private:
    [[nodiscard]] double wall() const {
        return std::chrono::duration<double, std::micro>(Clock::now() - start_).count();
    }
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
    std::uint64_t before_ = processor_time();
};

}  // namespace verbs

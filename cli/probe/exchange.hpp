// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "cli/measuring.hpp"
#include "core/model/ip.hpp"
#include "core/probe/classes.hpp"
#include "core/probe/message.hpp"
#include "core/probe/packet_losses.hpp"
#include "verbs/endpoint.hpp"

namespace cli {

/// Interval at which a waiting side asks the other whether it is alive.
inline constexpr std::chrono::milliseconds kBetweenInquiries{2000};
/// The longest IP packet sent to find a path MTU.
inline constexpr std::uint32_t kMostPacket = 65535;
/// Limits of calls in flight: their bytes, and their number; each takes four requests.
inline constexpr std::uint64_t kMostRoom = std::uint64_t{64} << 20;
inline constexpr unsigned kMostCalls = kMostDepth / 4;
/// Limits of one measurement: messages, and milliseconds.
inline constexpr std::uint64_t kMostMessages = 100'000'000;
inline constexpr std::uint64_t kLongestRun = 600'000;

/// Writes an endpoint's address to a message, and reads it. Throws Error (failed) where there is
/// none, or it has not `pairs` queue pairs.
void put_address(core::probe::Message& message, const verbs::EndpointAddress& address);
verbs::EndpointAddress address_in(const core::probe::Message& message, unsigned pairs);

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
verbs::Completion completion_named(const std::string& name);

/// CPU time of this process, in microseconds (getrusage(2)).
std::uint64_t processor_time();

}  // namespace cli

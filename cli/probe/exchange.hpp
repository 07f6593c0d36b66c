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

/// How often a side that waits for the other asks it whether it is there.
inline constexpr std::chrono::milliseconds kBetweenInquiries{2000};
/// The longest IP packet that is sent to find the MTU of a path.
inline constexpr std::uint32_t kMostPacket = 65535;
/// The most bytes that calls have under way, and the most of them: each takes four requests.
inline constexpr std::uint64_t kMostRoom = std::uint64_t{64} << 20;
inline constexpr unsigned kMostCalls = kMostDepth / 4;
/// The most messages of one measurement, and the milliseconds that it may take.
inline constexpr std::uint64_t kMostMessages = 100'000'000;
inline constexpr std::uint64_t kLongestRun = 600'000;

/// An endpoint's address in a message, and back. Throws Error (failed) where a message has none, or
/// one with other than `pairs` queue pairs.
void put_address(core::probe::Message& message, const verbs::EndpointAddress& address);
verbs::EndpointAddress address_in(const core::probe::Message& message, unsigned pairs);

/// What a port counted, in a message and back. Throws Error (failed).
void put_counts(core::probe::Message& message, const core::probe::ClassCounts& counts);
core::probe::ClassCounts counts_in(const core::probe::Message& message);

/// What a port counted of packets that were lost, in a message and back. A count that is not in the
/// message is not in the result.
void put_packet_losses(core::probe::Message& message,
                       const core::probe::PacketLosses& packet_losses);
core::probe::PacketLosses packet_losses_in(const core::probe::Message& message);
/// The address that a message says. Throws Error (failed) where it is none.
core::Ip address_said(const core::probe::Message& message);

/// A number that nobody else knows.
std::uint64_t random_token();

/// A way of completion by its name. Throws Error (failed).
verbs::Completion completion_named(const std::string& name);

/// Processor time of this process, in microseconds (getrusage(2)).
std::uint64_t processor_time();

}  // namespace cli

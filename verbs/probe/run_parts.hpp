// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/plan/kernel.hpp"
#include "core/probe/classes.hpp"
#include "core/probe/flow.hpp"
#include "core/probe/path_mtu.hpp"
#include "core/probe/payload.hpp"
#include "core/probe/report.hpp"
#include "verbs/probe/client.hpp"
#include "verbs/streams.hpp"

namespace verbs {

/// The result of a functional run.
struct Functional {
    std::vector<core::probe::PathCheck> checks{};
    std::string failure{};  ///< a sentence; empty where all works
    std::string advice{};
};

/// Runs each operation once at each size and compares the contents on both sides: SEND in both
/// directions, WRITE, WRITE with immediate data, READ, and the two atomics where both devices
/// support them. A failure's text gives the smallest failing size, the direction, and whether the
/// peer is alive.
Functional run_functional(ProbeClient& client);

/// Short writes in both directions over `flows` queue pairs with a flow label each: one over all of
/// them at once, then some over each that answered, in turn. Throws TimeOver, Interrupted, what the
/// control connection throws, and Error (failed).
std::vector<core::probe::FlowPath> run_flows(ProbeClient& client, unsigned flows);

/// Bytes of the message sent each way over an rdma_cm connection.
inline constexpr std::uint64_t kManagedBytes = 64;

/// Connects to the peer by rdma_cm, and sends one message each way. Failures are in the report;
/// throws Interrupted, and PeerGone and PeerSilent of the control connection.
core::probe::CmReport run_managed(ProbeClient& client);

/// Finds the longest IP packets that pass each way between the two rails, by unfragmented UDP
/// datagrams. Failures are in its texts; throws Interrupted, and PeerGone and PeerSilent of the
/// control connection.
core::probe::PathMtu run_path_mtu(ProbeClient& client);

/// Ping-pong of messages of one size, one at a time. Throws Incomplete, TimeOver, Interrupted, what
/// the control connection throws, and Error (failed).
core::probe::Trial measure_latency(ProbeClient& client, core::probe::Operation operation,
                                   std::uint64_t size, std::uint64_t iterations);

/// The load of a bandwidth measurement.
struct Load {
    std::uint64_t size = 65536;
    unsigned queue_pairs = 1;
    unsigned depth = 128;
    std::chrono::milliseconds duration{1000};
    std::uint64_t messages = 0;       ///< instead of the duration, if not 0
    std::uint64_t bits_a_second = 0;  ///< rate limit; 0: none
    core::probe::Direction direction = core::probe::Direction::out;
};
/// Sends as much as the load allows, posted by this side, the peer, or both. Throws as
/// measure_latency.
core::probe::Trial measure_bandwidth(ProbeClient& client, core::probe::Operation operation,
                                     const Load& load);

/// Calls of a storage system, by RDMA and over TCP. As many calls as run concurrently go first,
/// with the data compared on both sides; the measured calls follow. Throw Incomplete, StreamBroken,
/// TimeOver, Interrupted, what the control connection throws, and Error (failed).
core::probe::Trial measure_rpc(ProbeClient& client, const core::probe::Calls& what);
core::probe::Trial measure_tcp_rpc(ProbeClient& client, const core::probe::Calls& what);

/// Opens data connections beside the control connection, authenticated by its tokens. Throws Error
/// (failed), PeerGone, PeerSilent.
Streams join_streams(ProbeClient& client, unsigned connections);

/// Latency and bandwidth over separate TCP connections, with the traffic class, way of completion
/// and limits of the measurements over queue pairs. Throw StreamBroken, TimeOver,
/// Interrupted, what the control connection throws, and Error (failed).
core::probe::Trial measure_tcp_latency(ProbeClient& client, std::uint64_t size,
                                       std::uint64_t iterations);
core::probe::Trial measure_tcp_bandwidth(ProbeClient& client, const Load& load);

/// The class that data should travel in, as far as known.
struct ClassDesired {
    std::uint8_t traffic_class = 106;
    std::optional<unsigned> priority{};
    std::optional<unsigned> cnp_priority{};
    Load load{};
};
/// Loads the path with writes and reads, once with the traffic class and once without, like an
/// application that sets none, and reads both ports' per-priority counters around each. Throws what
/// measure_bandwidth throws.
std::vector<core::probe::ClassTrial> prove_classes(ProbeClient& client, core::Kernel& kernel,
                                                   const ClassDesired& desired);

}  // namespace verbs

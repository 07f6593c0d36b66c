// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/plan/kernel.hpp"
#include "core/probe/classes.hpp"
#include "core/probe/flow.hpp"
#include "core/probe/parameters.hpp"
#include "core/probe/path_mtu.hpp"
#include "core/probe/report.hpp"
#include "verbs/probe/client.hpp"

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

/// One measurement, over queue pairs or TCP connections that are opened for it, with the traffic
/// class, the way of completion and the limits of the client. Throws Incomplete, StreamBroken,
/// TimeOver, Interrupted, what the control connection throws, and Error (failed).
core::probe::Trial measure(ProbeClient& client, const core::probe::Measurement& what);

/// The class that data should travel in, as far as known.
struct ClassDesired {
    std::uint8_t traffic_class = 106;
    std::optional<unsigned> priority{};
    std::optional<unsigned> cnp_priority{};
    core::probe::Measurement load{};  ///< a bandwidth
};
/// Loads the path with writes and reads, once with the traffic class and once without, like an
/// application that sets none, and reads both ports' per-priority counters around each. Throws what
/// measure throws.
std::vector<core::probe::ClassTrial> prove_classes(ProbeClient& client, core::Kernel& kernel,
                                                   const ClassDesired& desired);

}  // namespace verbs

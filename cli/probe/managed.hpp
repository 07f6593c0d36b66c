// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/probe/client.hpp"
#include "core/probe/connection.hpp"

namespace cli {

/// The size of the message that goes each way over a connection of rdma_cm.
inline constexpr std::uint64_t kManagedBytes = 64;

/// Connects to the peer by rdma_cm, and sends one message each way. What fails is in the report;
/// throws Interrupted, and PeerGone and PeerSilent of the channel.
core::probe::CmReport run_managed(ProbeClient& client);

}  // namespace cli

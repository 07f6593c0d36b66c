// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/probe/client.hpp"
#include "core/probe/connection.hpp"

namespace cli {

/// Bytes of the message sent each way over an rdma_cm connection.
inline constexpr std::uint64_t kManagedBytes = 64;

/// Connects to the peer by rdma_cm, and sends one message each way. Failures are in the report;
/// throws Interrupted, and PeerGone and PeerSilent of the control connection.
core::probe::CmReport run_managed(ProbeClient& client);

}  // namespace cli

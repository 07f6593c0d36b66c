// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/probe/client.hpp"
#include "core/probe/call.hpp"
#include "core/probe/report.hpp"

namespace cli {

/// Calls of a storage system, by RDMA and over TCP. As many calls as run concurrently go first,
/// with the data compared on both sides; the measured calls follow. Throw Incomplete, StreamBroken,
/// TimeOver, Interrupted, what the control connection throws, and Error (failed).
core::probe::Trial measure_rpc(ProbeClient& client, const core::probe::Calls& what);
core::probe::Trial measure_tcp_rpc(ProbeClient& client, const core::probe::Calls& what);

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/probe/client.hpp"
#include "core/probe/call.hpp"
#include "core/probe/report.hpp"

namespace cli {

/// Calls as a storage system makes them, by RDMA, and the same over TCP: first as many as are under
/// way at one time, with the data looked at by both sides, then those that count. Throw Incomplete,
/// StreamBroken, TimeOver, Interrupted, what the channel throws, and Error (failed).
core::probe::Trial measure_rpc(ProbeClient& client, const core::probe::Calls& what);
core::probe::Trial measure_tcp_rpc(ProbeClient& client, const core::probe::Calls& what);

}  // namespace cli

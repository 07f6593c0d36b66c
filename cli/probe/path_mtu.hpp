// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/probe/client.hpp"
#include "core/probe/path_mtu.hpp"

namespace cli {

/// Finds the longest IP packets that pass each way between the two rails, by unfragmented UDP
/// datagrams. Failures are in its texts; throws Interrupted, and PeerGone and PeerSilent of the
/// control connection.
core::probe::PathMtu run_path_mtu(ProbeClient& client);

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/probe/client.hpp"
#include "core/probe/path_mtu.hpp"

namespace cli {

/// The longest IP packets that pass each way between the two rails, by UDP datagrams that nobody
/// fragments. What cannot be found is in its words; throws Interrupted, and PeerGone and PeerSilent
/// of the channel.
core::probe::PathMtu run_path_mtu(ProbeClient& client);

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlink/transport/machine.hpp"

namespace dcb {

/// What the other end advertises, in an answer to DCB_CMD_IEEE_GET or DCB_CMD_CEE_GET; nothing
/// where the driver tells nothing of it in this version, or heard nothing.
std::optional<core::Peer> decode_peer(netlink::Bytes payload);

void read_peer(netlink::Machine& machine, core::Port& port);

}  // namespace dcb

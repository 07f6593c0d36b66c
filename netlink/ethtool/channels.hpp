// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/kernel.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

/// The numbers of channels in the answer to ETHTOOL_MSG_CHANNELS_GET (net/ethtool/channels.c).
core::Channels decode_channels(Bytes payload);

void read_channels(Machine& machine, const core::Scope& scope, core::State& state);

void write_channels(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "core/plan/kernel.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

/// Whether the name is that of a counter of one queue, of which a port can have thousands:
/// `rx12_packets`, `tx3_0_bytes`, `ch5_events`, `[4]: rx_ucast_packets`, `tx_queue_7_bytes`.
bool is_of_queue(std::string_view name);

/// What ETHTOOL_GSTRINGS and ETHTOOL_GSTATS answer: names of ETH_GSTRING_LEN bytes each, and as
/// many numbers.
core::Statistics decode_statistics(Bytes names, std::span<const std::uint64_t> values);

/// By the old interface: the names of a driver's own are in no other.
void read_statistics(Machine& machine, const core::Scope& scope, core::State& state);

}  // namespace netlink

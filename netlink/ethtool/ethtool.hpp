// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include "netlink/transport/machine.hpp"

namespace netlink {

/// The start of a request of the ethtool family about one port, with flags (ETHTOOL_FLAG_*).
Message ethtool_message(Machine& machine, int command, int header, const std::string& port,
                        std::uint32_t flags = 0);

/// The bits of a bitset that has names (Documentation/networking/ethtool-netlink.rst, "Bit sets"):
/// with a mask every bit it covers, without one the bits that are set.
core::Flags decode_bitset(const Attributes& bitset);

/// Puts the bits of `then` that differ from `now`, by name; the kernel keeps the others.
void put_bitset(Message& request, int type, const core::Flags& now, const core::Flags& then);

/// Puts what differs: the kernel keeps what is not stated.
void put_changed(Message& request, int type, const std::optional<std::uint32_t>& before,
                 const std::optional<std::uint32_t>& after);

}  // namespace netlink

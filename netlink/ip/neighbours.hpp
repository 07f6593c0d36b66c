// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/plan/kernel.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

/// An RTM_NEWNEIGH message.
struct NeighbourAnswer {
    std::uint32_t index = 0;  ///< of the link
    core::Neighbour neighbour;
    std::string beyond{};  ///< what a permanent one has beside, in the words of ip-neighbour(8)
    bool operator==(const NeighbourAnswer&) const = default;
};

/// The neighbour that the message describes; nothing for what is no neighbour of an IP: proxies,
/// and the mappings that the kernel computes (NUD_NOARP, such as those of multicast groups).
std::optional<NeighbourAnswer> decode_neighbour(Bytes payload);

/// Reads the IPv4 and IPv6 neighbours of the ports in one dump, which the kernel filters where
/// there is one port (NDA_IFINDEX). Fills `neighbours` and `neighbours_beyond`; the ports' indexes
/// must have been read.
void read_neighbours(Machine& machine, const core::Scope& scope, core::State& state);

void write_neighbours(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink

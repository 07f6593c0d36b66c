// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/model/ip.hpp"

namespace core {

struct Port;

struct Gid {
    std::uint32_t index = 0;
    std::string gid;   ///< as sysfs prints it
    std::string type;  ///< "RoCE v2" or "IB/RoCE v1"
    std::string port;  ///< the netdev it belongs to
    bool operator==(const Gid&) const = default;
};

/// The RDMA port of a network interface, with its table of GIDs.
struct RdmaPort {
    std::string state;           ///< ACTIVE, DOWN, … (enum ib_port_state)
    std::string physical_state;  ///< LINK_UP, DISABLED, …
    std::vector<Gid> gids;
    bool operator==(const RdmaPort&) const = default;
};

/// The kernel makes GIDs of the addresses, in an order that nobody can foretell.
void forget_gids(Port& port);

/// The RoCE v2 GID of the address in the port's table; null where it has none, or no table is
/// known.
const Gid* find_gid(const Port& port, const Ip& address);

}  // namespace core

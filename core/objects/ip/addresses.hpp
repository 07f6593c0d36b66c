// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/model/edit.hpp"
#include "core/model/ip.hpp"

namespace core {

struct Port;

struct Address {
    Ip ip;
    std::uint8_t prefix_length = 0;
    bool by_kernel = false;  ///< link-local or SLAAC: a fact, never removed
    bool duplicate = false;  ///< another host on the link has it (IFA_F_DADFAILED)
    bool operator==(const Address&) const = default;
};

/// What an address, or a neighbour, has that no setting holds (a peer, a label, flags), in the
/// words of ip(8). It cannot be put back.
struct AddressBeyond {
    Ip ip;
    std::string what;
    bool operator==(const AddressBeyond&) const = default;
};

}  // namespace core

namespace core::addresses {

/// The network that the address is in.
Prefix network_of(const Address& address);

/// Whether one of the two is in the IPv4 network of the other, so that hosts there ask for both by
/// ARP. A network of two, for a link between two ends, is none (RFC 3021).
bool share_network(const Address& one, const Address& other);

std::vector<Edit<Address>> edits(const std::vector<Address>& now, const std::vector<Address>& then);
/// Takes addresses, one after the other, and what goes with each: routes from it, the connected
/// network, IPv4 secondaries of the same network, and with the last IPv4 address every IPv4 route
/// and neighbour.
void take(Port& port, const std::vector<Ip>& gone);
/// Takes the addresses of which the predicate is true, with what they have beside.
void lose(Port& port, const std::function<bool(const Ip&)>& gone);

}  // namespace core::addresses

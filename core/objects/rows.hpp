// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "core/model/object.hpp"

/// The rows of the object table, one a file of this folder (those of facts in facts.cpp), and what
/// several of them share.
namespace core {

using Reason = std::optional<std::string>;
using Played = std::optional<Refusal>;

extern const ObjectRow modules_row;
extern const ObjectRow rdma_system_row;
extern const ObjectRow hugepages_row;
extern const ObjectRow sysctl_row;
extern const ObjectRow governor_row;
extern const ObjectRow irqbalance_row;
extern const ObjectRow tuned_row;
extern const ObjectRow memlock_row;
extern const ObjectRow device_row;
extern const ObjectRow owners_row;
extern const ObjectRow devlink_row;
extern const ObjectRow vlan_row;
extern const ObjectRow ipv4_row;
extern const ObjectRow ipv6_row;
extern const ObjectRow private_flags_row;
extern const ObjectRow ring_row;
extern const ObjectRow channels_row;
extern const ObjectRow coalesce_row;
extern const ObjectRow features_row;
extern const ObjectRow dcbx_row;
extern const ObjectRow link_row;
extern const ObjectRow link_modes_row;
extern const ObjectRow fec_row;
extern const ObjectRow speed_row;
extern const ObjectRow pause_row;
extern const ObjectRow ets_row;
extern const ObjectRow maxrate_row;
extern const ObjectRow pfc_row;
extern const ObjectRow storm_prevention_row;
extern const ObjectRow buffer_row;
extern const ObjectRow app_row;
extern const ObjectRow rewrite_row;
extern const ObjectRow ecn_directory_row;
extern const ObjectRow ecn_row;
extern const ObjectRow rdma_link_row;
extern const ObjectRow rdma_name_row;
extern const ObjectRow rdma_port_row;
extern const ObjectRow queue_pairs_row;
extern const ObjectRow rdma_moderation_row;
extern const ObjectRow cm_directory_row;
extern const ObjectRow cm_defaults_row;
extern const ObjectRow traffic_class_row;
extern const ObjectRow addresses_row;
extern const ObjectRow routes_row;
extern const ObjectRow neighbours_row;
extern const ObjectRow rules_row;
extern const ObjectRow pcie_row;
extern const ObjectRow interrupts_row;

/// Copies the parts of a port that an object is.
template <auto... Part>
void copy(const Port& from, Port& to) {
    ((to.*Part = from.*Part), ...);
}

/// Below this MTU the kernel takes IPv6 off a device (IPV6_MIN_MTU, net/ipv6/addrconf.c).
inline constexpr std::uint32_t kIpv6Minimum = 1280;

/// Why a write of ETS, PFC or APP is refused while DCBX is not the host's, or the port is a member
/// of a bond; nothing where the driver does not care.
Reason owned_by_agent(const Driver& driver, const Port& port);

/// The bond that the port is a member of; empty where it is of none.
std::string bond_of(const Port& port);

/// The directory of the port's RDMA device in rdma_cm's configfs.
std::string cm_path(const Port& port);
/// What is said of an object that hangs on the RDMA device, where the port has none.
std::optional<Lack> no_rdma_device(const Driver& driver, const Port& port, std::string_view key);

/// Takes the routes of which the predicate is true, with what they have beside.
template <typename Gone>
void lose_routes(Port& port, const Gone& gone) {
    if (!port.routes) return;
    std::erase_if(*port.routes, gone);
    std::erase_if(port.routes_beyond,
                  [&](const RouteBeyond& beyond) { return gone(beyond.route); });
}

/// The same of addresses, by their IP.
template <typename Gone>
void lose_addresses(Port& port, const Gone& gone) {
    if (!port.addresses) return;
    std::erase_if(*port.addresses, [&](const Address& address) { return gone(address.ip); });
    std::erase_if(port.addresses_beyond,
                  [&](const AddressBeyond& beyond) { return gone(beyond.ip); });
}

/// The same of neighbours, permanent or not.
template <typename Gone>
void lose_neighbours(Port& port, const Gone& gone) {
    if (!port.neighbours) return;
    std::erase_if(*port.neighbours, [&](const Neighbour& old) { return gone(old.ip); });
    std::erase_if(port.neighbours_beyond,
                  [&](const AddressBeyond& beyond) { return gone(beyond.ip); });
}

/// Adds the connected routes of the port's addresses that are not there, as the kernel does when
/// an address comes or the port comes up.
void connect(Port& port);

}  // namespace core

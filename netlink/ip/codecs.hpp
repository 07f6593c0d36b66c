// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/plan/kernel.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

/// An RTM_NEWADDR message.
struct AddressAnswer {
    std::uint32_t index = 0;  ///< of the link
    std::uint32_t flags = 0;  ///< IFA_F_*
    core::Address address;
    std::string label{};  ///< IPv4 only
    std::string
        beyond{};  ///< what else it has that no setting holds, in the words of ip-address(8)
    std::string lifetime{};  ///< the limited one that nobody can restore, in the same words
    bool operator==(const AddressAnswer&) const = default;
};

std::optional<AddressAnswer> decode_address(Bytes payload);

/// The bytes of an attribute as an address, and the other way round.
std::optional<core::Ip> ip_of(Bytes bytes);
Bytes bytes_of(const core::Ip& ip);

/// The IPv4 and IPv6 addresses of one link, in one dump that the kernel filters; of every link
/// where `index` is 0.
std::vector<AddressAnswer> dump_addresses(Machine& machine, std::uint32_t index);

/// Fills `addresses` and `addresses_beyond` in one dump; the ports' indexes must have been read.
void read_addresses(Machine& machine, const core::Scope& scope, core::State& state);
void write_addresses(Machine& machine, const core::Port& now, const core::Port& then);

/// An RTM_NEWROUTE message.
struct RouteAnswer {
    std::vector<std::uint32_t> links;  ///< indexes of those it leaves by
    core::Route route;
    std::string beyond{};   ///< what it has beside, in the words of ip-route(8)
    bool described = true;  ///< `route` tells this route from others
    bool operator==(const RouteAnswer&) const = default;
};

/// The route that the message describes; nothing for what is not a unicast route, of the local
/// table, or cloned. A multipath or encapsulated route, one by a nexthop object, from a source
/// network or for one type of service is not described: it is neither shown as a route nor removed.
std::optional<RouteAnswer> decode_route(Bytes payload);

/// Reads the ports' routes with their further attributes, in one dump per family, filtered by the
/// kernel for a single port. Fills `routes` and `routes_beyond`; the ports' indexes must have been
/// read.
void read_routes(Machine& machine, const core::Scope& scope, core::State& state);

void write_routes(Machine& machine, const core::Port& now, const core::Port& then);

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

/// Reads the IPv4 and IPv6 neighbours of the ports in one dump, filtered by the kernel for a single
/// port (NDA_IFINDEX). Fills `neighbours` and `neighbours_beyond`; the ports' indexes must have
/// been read.
void read_neighbours(Machine& machine, const core::Scope& scope, core::State& state);

void write_neighbours(Machine& machine, const core::Port& now, const core::Port& then);

/// An RTM_NEWRULE message.
struct RuleAnswer {
    core::Rule rule;
    std::string beyond{};  ///< what else it selects or does, in the words of ip-rule(8)
    bool operator==(const RuleAnswer&) const = default;
};

/// The rule that the message describes; nothing for what is no rule of IPv4 or IPv6 unicast.
std::optional<RuleAnswer> decode_rule(Bytes payload);

/// Reads the IPv4 and IPv6 rules in one dump. Fills `rules` and `rules_beyond` of the host.
void read_rules(Machine& machine, core::Port& whole);

void write_rules(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink

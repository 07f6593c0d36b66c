// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "core/plan/kernel.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

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

/// The routes of the ports and what they have beside, in one dump per family, which the kernel
/// filters where there is one port. Fills `routes` and `routes_beyond`; the ports' indexes must
/// have been read.
void read_routes(Machine& machine, const core::Scope& scope, core::State& state);

void write_routes(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink

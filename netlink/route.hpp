// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "netlink/host.hpp"

namespace netlink {

/// An RTM_NEWROUTE message.
struct RouteAnswer {
    std::uint32_t index = 0;  ///< of the link it leaves by
    core::Route route;
    bool operator==(const RouteAnswer&) const = default;
};

/// Nothing for what is not a plain unicast route by one link: multipath, encapsulated, by a
/// nexthop object or for one type of service, of the local table, or cloned. Such routes are
/// neither shown nor removed.
std::optional<RouteAnswer> decode_route(Bytes payload);

/// The routes of one link, in one dump per family that the kernel filters.
std::vector<core::Route> read_routes(Host& host, std::uint32_t index);

void write_routes(Host& host, const core::Port& now, const core::Port& then);

}  // namespace netlink

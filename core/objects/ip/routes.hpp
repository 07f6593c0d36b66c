// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/model/edit.hpp"
#include "core/model/ip.hpp"

namespace core {

struct Port;

/// A unicast route out of the port. Identity is (table, to, metric). Which routes the kernel made
/// itself follows from the addresses (made_by_kernel in core/model/field.hpp).
struct Route {
    Prefix to;
    std::uint32_t table = 254;
    std::uint32_t metric = 0;
    std::optional<Ip> via{};
    std::optional<Ip> source{};
    std::uint8_t scope = 0;
    std::uint8_t protocol = 4;  ///< RTPROT_STATIC
    std::uint32_t mtu = 0;      ///< 0: none stated
    bool operator==(const Route&) const = default;
};

/// The same of a route. One that `Route` cannot describe at all (several next hops, a tunnel, a
/// type of service) is only here, with as much of it as a route has.
struct RouteBeyond {
    Route route;
    std::string what;
    bool operator==(const RouteBeyond&) const = default;
};

}  // namespace core

namespace core::routes {

std::vector<Edit<Route>> edits(const std::vector<Route>& now, const std::vector<Route>& then);
/// Takes the routes of which the predicate is true, with what they have beside.
void lose(Port& port, const std::function<bool(const Route&)>& gone);
/// Adds the connected routes of the port's addresses that are not there, as the kernel does when
/// an address comes or the port comes up.
void connect(Port& port);

}  // namespace core::routes

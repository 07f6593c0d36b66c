// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/model/edit.hpp"
#include "core/model/ip.hpp"

namespace core {

struct Driver;
struct Played;
struct Port;
struct State;

inline constexpr std::uint32_t kMainTable = 254;   ///< RT_TABLE_MAIN
inline constexpr std::uint32_t kLocalTable = 255;  ///< RT_TABLE_LOCAL

/// A unicast route out of the port. Identity is (table, to, metric). Which routes the kernel made
/// itself follows from the addresses (made_by_kernel in core/model/field.hpp).
struct Route {
    Prefix to;
    std::uint32_t table = kMainTable;
    std::uint32_t metric = 0;
    std::optional<Ip> via{};
    std::optional<Ip> source{};
    std::uint8_t scope = 0;
    std::uint8_t protocol = 4;  ///< RTPROT_STATIC
    std::uint32_t mtu = 0;      ///< 0: none stated
    bool operator==(const Route&) const = default;
};

/// What a route has that `Route` cannot describe, in words. A route with several next hops, a
/// tunnel or a type of service is only here, with as much of it as `Route` holds.
struct RouteBeyond {
    Route route;
    std::string what;
    bool operator==(const RouteBeyond&) const = default;
};

}  // namespace core

namespace core::routes {

/// What tells a route from the others of the host.
using RouteKey = std::tuple<Prefix, std::uint32_t, std::uint32_t>;
[[nodiscard]] inline RouteKey key_of(const Route& route) {
    return {route.to, route.table, route.metric};
}

/// Which routes on the link are there, so that a gateway is looked for among their lengths.
class Reached {
public:
    /// Notes a route; one with a gateway reaches nothing by itself.
    void add(const Route& route);
    [[nodiscard]] bool contains(const Ip& gateway) const;

private:
    std::set<Prefix> networks_{};
    std::set<std::pair<bool, std::uint8_t>> lengths_{};
};

/// Gives `take` each route out of the port that a packet without a type of service may take,
/// whatever its source: what `routes` holds, and of `routes_beyond` what has several next hops, a
/// tunnel, or the next hop of a nexthop object, as all routes of FRR have. Those of several next
/// hops have no gateway here.
void each_open(const Port& port, const std::function<void(const Route&)>& take);

std::vector<Edit<Route>> edits(const std::vector<Route>& now, const std::vector<Route>& then);
/// Takes the routes of which the predicate is true, with what they have beside.
void lose(Port& port, const std::function<bool(const Route&)>& gone);
/// Makes `now` what it would be with the routes of `then` (ObjectRow::play).
Played play(const Driver& driver, State& state, Port& now, const Port& then);
/// Adds the connected routes of the port's addresses that are not there, as the kernel does when
/// an address comes or the port comes up.
void connect(Port& port);

}  // namespace core::routes

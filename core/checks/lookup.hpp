// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/model/ip.hpp"
#include "core/model/state.hpp"

namespace core {

/// A question to the routing tables.
struct Query {
    Ip to{};
    std::optional<Ip> from{};
    std::string port{};    ///< search only routes out of this port; empty: of any
    std::string sender{};  ///< of several next hops, take the one out of this port
};

/// The port a packet would leave by, and the route and rule that say so.
struct Lookup {
    std::string port{};
    Route route{};
    Rule rule{};  ///< the rule that led to the table
    /// A rule that matches and comes first, whose action cannot be evaluated here, or that ends the
    /// lookup without a route.
    std::optional<RuleBeyond> before{};
};

/// Whether the rule's action ends a lookup without a route: blackhole, unreachable, prohibit
/// (include/uapi/linux/fib_rules.h FR_ACT_BLACKHOLE and on).
bool ends_lookup(const RuleBeyond& rule);
/// `100 (blackhole)`: the rule in messages.
std::string text(const RuleBeyond& rule);

/// Looks a route up as `ip route get fibmatch` does (net/ipv4/fib_frontend.c __fib_lookup,
/// net/ipv4/fib_rules.c): rules by priority, then the longest prefix and the lowest metric of the
/// table, including routes that only routes_beyond describes (routes::each_open). Without
/// `fibmatch` the kernel takes a destination for on link where the port is named and no route is
/// found (net/ipv4/route.c ip_route_output_key_hash_rcu), and RDMA asks that way. Nothing where
/// there is no route; an empty port with `before` where another rule may be the reason.
std::optional<Lookup> route_lookup(const State& state, const Query& query);

}  // namespace core

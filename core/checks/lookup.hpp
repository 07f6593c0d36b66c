// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/model/ip.hpp"
#include "core/model/state.hpp"

namespace core {

/// What is asked of the routing tables.
struct Query {
    Ip to{};
    std::optional<Ip> from{};
    std::string port{};    ///< out of this one alone; empty: any
    std::string sender{};  ///< of several next hops the one out of this port is found
};

/// The port a packet would leave by, and the route.
struct Lookup {
    std::string port{};
    Route route{};
    Rule rule{};  ///< that led to the table
    /// A rule that matches and comes before it, of which nobody can say here where it leads; or
    /// that ends the lookup, and then there is no route.
    std::optional<RuleBeyond> before{};
};

/// Whether the rule ends a lookup without a route: blackhole, unreachable, prohibit
/// (include/uapi/linux/fib_rules.h FR_ACT_BLACKHOLE and on).
bool ends_lookup(const RuleBeyond& rule);
/// `100 (blackhole)`: how messages name such a rule.
std::string text(const RuleBeyond& rule);

/// What the tables answer, as `ip route get fibmatch` does (net/ipv4/fib_frontend.c
/// __fib_lookup, net/ipv4/fib_rules.c): rules by priority, in the table the longest prefix and the
/// least metric, what routes_beyond has among them (routes::each_open). Without `fibmatch` the
/// kernel takes a destination for on link where the port is named and no route is found
/// (net/ipv4/route.c ip_route_output_key_hash_rcu), and RDMA asks so. Nothing where there is no
/// route; with `before` and an empty port where another rule may be why.
std::optional<Lookup> route_lookup(const State& state, const Query& query);

}  // namespace core

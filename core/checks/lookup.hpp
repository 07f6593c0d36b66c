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
    std::string port{};  ///< out of this one alone; empty: any
};

/// The port a packet would leave by, and the route.
struct Lookup {
    std::string port{};
    Route route{};
};

/// What the tables answer, as `ip route get fibmatch` does (net/ipv4/fib_frontend.c
/// __fib_lookup, net/ipv4/fib_rules.c): rules by priority, in the table the longest prefix and the
/// least metric. Without `fibmatch` the kernel takes a destination for on link where the port is
/// named and no route is found (net/ipv4/route.c ip_route_output_key_hash_rcu), and RDMA asks so.
/// Nothing where there is no route.
std::optional<Lookup> route_lookup(const State& state, const Query& query);

}  // namespace core

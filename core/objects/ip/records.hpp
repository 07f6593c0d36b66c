// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/model/listing.hpp"
#include "core/model/shape.hpp"
#include "core/model/state.hpp"

namespace core {

Value canonical_route_beyond(const Value& value);

/// A legal record as a route. What is not stated gets what `ip route add` gives it, but protocol
/// static: scope link for an IPv4 route without a gateway, metric 1024 for IPv6.
Route route_of(const Record& record);
Record record_of(const Route& route);
/// Tells the listing the route as a record, with the parts that record_of gives it.
void tell(const Route& route, Listing& listing);
/// `10.0.0.0/8 main 0`: the element a route is.
std::string identity(const Route& route);
void append_identity(std::string& out, const Route& route);

/// The port's routes that are connected to an address of it, to a link-local or multicast network,
/// or from a router advertisement (net/ipv4/fib_frontend.c fib_add_ifaddr, net/ipv6/addrconf.c).
std::vector<Route> made_by_kernel(const Port& port);

/// What a rule is beyond that has the selectors and the priority of another: only the table tells
/// them apart, and the kernel asks both.
inline constexpr std::string_view kSecondRule = "second of its selectors and priority";

/// A legal record as a rule. What is not stated gets what `ip rule add` gives it, but a priority:
/// the kernel's choice depends on the rules that are there (net/core/fib_rules.c
/// fib_default_rule_pref), so it is 32765, what it chooses where there is none but its own.
Rule rule_of(const Record& record);
Record record_of(const Rule& rule);
Value canonical_rule(const Value& value);
Value canonical_rule_beyond(const Value& value);

/// Tells the listing the rule as a record, with the parts that record_of gives it.
void tell(const Rule& rule, Listing& listing);

/// The selectors and the priority: the element a rule is.
std::string identity(const Rule& rule);
void append_identity(std::string& out, const Rule& rule);

/// RTPROT_KERNEL: those of the local, main and default tables, and of VRFs.
bool made_by_kernel(const Rule& rule);

}  // namespace core

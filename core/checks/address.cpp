// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "core/checks/checks.hpp"

namespace core {
namespace {

constexpr std::array<Keys, 1> kRoutes = {"routes"};
constexpr std::array<Keys, 1> kRules = {"rules"};
constexpr std::array<Keys, 1> kAddresses = {"addresses"};
constexpr std::array<Keys, 2> kGateways = {"routes", "addresses"};

Faults route_family(const Evidence& evidence) {
    const Port& port = *evidence.now;
    for (const Route& route : *port.routes) {
        const auto differs = [&](const std::optional<Ip>& ip) {
            return ip && ip->v6 != route.to.ip.v6;
        };
        const std::string to = "the route to " + text(route.to);
        // IPv4 goes by a gateway of IPv6 since Linux 5.2 (RTA_VIA, net/ipv4/fib_semantics.c
        // fib_check_nh_v6_gw), as BGP without addresses on the links does; IPv6 by none of IPv4.
        if (route.to.ip.v6 && differs(route.via))
            return fault(to + " has a gateway of the other family, " + text(*route.via));
        if (differs(route.source))
            return fault(to + " has a source of the other family, " + text(*route.source));
    }
    return {};
}

Faults rule_family(const Evidence& evidence) {
    const Port& host = *evidence.now;
    for (const Rule& rule : *host.rules)
        for (const auto& network : {rule.from, rule.to})
            if (network && network->ip.v6 != rule.v6)
                return fault("the rule is for " + std::string(rule.v6 ? "IPv6" : "IPv4") +
                             " and selects " + text(*network));
    return {};
}

/// The first address of a network is the network's name, or with IPv6 that of any of its routers;
/// a network of two addresses or one has none (RFC 3021, RFC 6164).
Faults network_address(const Evidence& evidence) {
    const Port& port = *evidence.now;
    for (const Address& address : *port.addresses) {
        const Prefix prefix{.ip = address.ip, .length = address.prefix_length};
        const std::uint8_t least_own = address.ip.v6 ? 127 : 31;
        if (address.by_kernel || prefix.length >= least_own) continue;
        if (network(prefix).ip == address.ip)
            return fault(text(prefix) + " is the address of the network itself, not of a host");
    }
    return {};
}

Faults own_gateway(const Evidence& evidence) {
    const Port& port = *evidence.now;
    std::set<Ip> own;
    for (const Address& address : *port.addresses)
        own.insert(address.ip);
    for (const Route& route : *port.routes)
        if (route.via && own.contains(*route.via))
            return fault("the route to " + text(route.to) + " has the port's own address " +
                         text(*route.via) + " as gateway");
    return {};
}

constexpr std::array kRowsAddress = {
    FindingRow{
        .id = "route-family",
        .why = "The source of a route is of the destination's family, and so is the gateway to an "
               "IPv6 destination; an IPv4 destination may have an IPv6 gateway (RFC 5549).",
        .remedy =
            "a source of the destination's family, and for an IPv6 destination an IPv6 gateway",
        .manual = "rocectl-profile(5), SETTINGS",
        .needs = {.keys = kRoutes},
        .run = route_family},
    FindingRow{.id = "rule-family",
               .why = "What a rule selects is of one family.",
               .remedy = "from, to and family of the same family",
               .manual = "rocectl-profile(5), SETTINGS",
               .needs = {.keys = kRules},
               .run = rule_family},
    FindingRow{.id = "network-address",
               .level = FindingLevel::note,
               .why = "The first address of a network stands for the network, and hosts may "
                      "refuse to talk to it.",
               .remedy = "another address of the network",
               .manual = "rocectl-profile(5), SETTINGS",
               .needs = {.keys = kAddresses},
               .run = network_address},
    FindingRow{.id = "own-gateway",
               .level = FindingLevel::note,
               .why = "A route by way of the port itself asks the link for every address.",
               .remedy = "the address of the router",
               .manual = "rocectl-profile(5), SETTINGS",
               .needs = {.keys = kGateways},
               .run = own_gateway},
};

constexpr auto kAllAddress = each_of(kRowsAddress);

}  // namespace

const FindingGroup finding_group::address{
    .name = "address",
    .doc = "Whether addresses, routes and rules fit together.",
    .rows = kAllAddress};

}  // namespace core

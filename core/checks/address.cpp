// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/checks/groups.hpp"
#include "core/checks/one_fault.hpp"

namespace core {
namespace {

constexpr std::array<Keys, 1> kRoutes = {"routes"};
constexpr std::array<Keys, 1> kRules = {"rules"};

Faults route_family(const Evidence& evidence) {
    const Port& port = *evidence.now;
    for (const Route& route : *port.routes) {
        const auto differs = [&](const std::optional<Ip>& ip) {
            return ip && ip->v6 != route.to.ip.v6;
        };
        const std::string to = "the route to " + text(route.to);
        if (differs(route.via))
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

constexpr std::array kRowsAddress = {
    FindingRow{.id = "route-family",
               .why = "Gateway and source of a route are of the destination's family.",
               .remedy = "a gateway and source of the same family",
               .manual = "rocectl-profile(5), SETTINGS",
               .needs = {.keys = kRoutes},
               .look = route_family},
    FindingRow{.id = "rule-family",
               .why = "What a rule selects is of one family.",
               .remedy = "from, to and family of the same family",
               .manual = "rocectl-profile(5), SETTINGS",
               .needs = {.keys = kRules},
               .look = rule_family},
};

constexpr auto kAllAddress = each_of(kRowsAddress);

}  // namespace

const FindingGroup finding_group::address{
    .name = "address",
    .doc = "Whether addresses, routes and rules fit together.",
    .rows = kAllAddress};

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>

#include "core/objects/rows.hpp"

namespace core {
namespace {

/// What ifdown costs: every route and neighbour (net/core/neighbour.c neigh_ifdown), and every IPv6
/// address (keep_addr_on_down is off by default).
void take_down(Port& port) {
    lose_addresses(port, [](const Ip& ip) { return ip.v6; });
    lose_neighbours(port, [](const Ip& /*ip*/) { return true; });
    lose_routes(port, [](const Route& /*route*/) { return true; });
}

void lose_ipv6(Port& port) {
    lose_addresses(port, [](const Ip& ip) { return ip.v6; });
    lose_routes(port, [](const Route& route) { return route.to.ip.v6; });
    lose_neighbours(port, [](const Ip& ip) { return ip.v6; });
}

}  // namespace

void reopen(Port& port) {
    if (!port.link || !port.link->up) return;
    take_down(port);
    connect(port);
}

namespace {

/// A VLAN carries no more than the device below it, and is up only above one that is
/// (net/8021q/vlan_dev.c vlan_dev_change_mtu and vlan_dev_open).
Played above_lower(const State& state, const Port& now, const Port& then) {
    if (!then.link || then.link->lower.empty()) return std::nullopt;
    const Port* lower = find_port(state, then.link->lower);
    if (lower == nullptr || !lower->link) return std::nullopt;
    if (now.link->mtu != then.link->mtu && then.link->mtu > lower->link->mtu)
        return Refusal{.code = ERANGE, .text = "Numerical result out of range"};
    if (!now.link->up && then.link->up && !lower->link->up)
        return Refusal{.code = ENETDOWN, .text = "Network is down"};
    return std::nullopt;
}

/// The kernel lets a member have an MTU of its own (drivers/net/bonding/bond_main.c
/// bond_slave_netdev_event), until somebody sets that of the bond.
Reason refuses(const Driver& /*driver*/, const Port& now, const Port& then) {
    const std::string bond = bond_of(now);
    if (bond.empty() || now.link->mtu == then.link->mtu) return std::nullopt;
    return "the port is a member of " + bond +
           ", which sets the MTU of its members; state mtu for " + bond;
}

Played play(const Driver& driver, Port& now, const Port& then) {
    const Link& wanted = *then.link;
    Link& link = *now.link;
    if (link.mtu != wanted.mtu) {
        if (wanted.mtu < link.mtu_min)
            return Refusal{.code = EINVAL, .text = "mtu less than device minimum"};
        if (link.mtu_max != 0 && wanted.mtu > link.mtu_max)
            return Refusal{.code = EINVAL, .text = "mtu greater than device maximum"};
        link.mtu = wanted.mtu;
        if (link.mtu < kIpv6Minimum) lose_ipv6(now);
        if (now.rdma_port && now.rdma)
            now.rdma_port->active_mtu = std::min(rdma_mtu(driver, now.rdma->type, link.mtu),
                                                 std::max(now.rdma_port->max_mtu, 256U));
    }
    if (link.up && !wanted.up) take_down(now);
    const bool came_up = !link.up && wanted.up;
    link.up = wanted.up;
    if (came_up) connect(now);
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    std::string line = "ip link set dev " + now.name;
    if (now.link->mtu != then.link->mtu) line += " mtu " + std::to_string(then.link->mtu);
    if (now.link->up != then.link->up) line += then.link->up ? " up" : " down";
    return {line};
}

constexpr std::array kTouches = {Object::addresses, Object::routes, Object::neighbours};

}  // namespace

constinit const ObjectRow link_row = {.object = Object::link,
                                      .name = "link",
                                      .doc = "Administrative state and MTU.",
                                      .copy = copy<&Port::link>,
                                      .settle_ms = 2000,
                                      .touches = kTouches,
                                      .refuses = refuses,
                                      .clashes = above_lower,
                                      .play = play,
                                      .spell = spell};

}  // namespace core

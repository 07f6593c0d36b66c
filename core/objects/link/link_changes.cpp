// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>
#include <iterator>

#include "core/objects/rows.hpp"

// What the kernel does with a port that opens, closes or gets another MTU, and with what is stacked
// on it: bonds and VLANs.

namespace core::link {
namespace {

/// What ifdown costs: every route and neighbour (net/core/neighbour.c neigh_ifdown), and every IPv6
/// address (keep_addr_on_down is off by default).
void take_down(Port& port) {
    addresses::lose(port, [](const Ip& ip) { return ip.v6; });
    neighbours::lose(port, [](const Ip& /*ip*/) { return true; });
    routes::lose(port, [](const Route& /*route*/) { return true; });
}

void lose_ipv6(Port& port) {
    addresses::lose(port, [](const Ip& ip) { return ip.v6; });
    routes::lose(port, [](const Route& route) { return route.to.ip.v6; });
    neighbours::lose(port, [](const Ip& ip) { return ip.v6; });
}

}  // namespace

std::string bond_of(const Port& port) {
    return port.link && port.link->master_kind == "bond" ? port.link->master : std::string();
}

std::vector<std::string> members_of(const State& state, const std::string& bond) {
    std::vector<std::string> out;
    // Every other port of the host is asked only about a bond.
    const Port* found = find_port(state, bond);
    if (found != nullptr && found->link && found->link->kind != "bond") return out;
    for (const Port& port : state.ports)
        if (port.link && port.link->master_kind == "bond" && port.link->master == bond)
            out.push_back(port.name);
    return out;
}

void reopen(Port& port) {
    if (!port.link || !port.link->up) return;
    take_down(port);
    routes::connect(port);
}

void resize(Port& port, std::uint32_t mtu) {
    port.link->mtu = mtu;
    if (mtu < kIpv6Minimum) lose_ipv6(port);
    if (const auto follows = active_mtu::expected(driver_of(port), port))
        port.active_mtu->bytes = *follows;
}

void open(Port& port, bool up) {
    if (port.link->up && !up) take_down(port);
    const bool came_up = !port.link->up && up;
    port.link->up = up;
    if (came_up) routes::connect(port);
}

/// A VLAN has the carrier of the device below (net/core/dev.c netif_stacked_transfer_operstate).
void follow(Port& port, const Port& lower) {
    if (port.link->up) port.link->carrier = lower.link->carrier;
}

/// VLANs go up and down with the port below, and carry no more than that carries
/// (net/8021q/vlan.c vlan_device_event), and so do VLANs on these. Gives back those that changed,
/// as they were.
std::vector<Port> carry_along(State& state, const Port& before, const Port& now) {
    std::vector<Port> touched;
    // What is under itself is in no kernel, only in a state that somebody wrote.
    if (before.link == now.link) return touched;
    for (Port& port : state.ports) {
        if (!port.link || port.link->lower != now.name || port.link->kind != "vlan") continue;
        const Port old = port;
        if (before.link->mtu != now.link->mtu && port.link->mtu > now.link->mtu)
            resize(port, now.link->mtu);
        if (before.link->up != now.link->up) {
            open(port, now.link->up);
            follow(port, now);
        }
        if (old == port) continue;
        touched.push_back(old);
        std::ranges::move(carry_along(state, old, port), std::back_inserter(touched));
    }
    return touched;
}

/// A bond has the carrier of any member (drivers/net/bonding/bond_main.c bond_set_carrier).
std::vector<Port> follow_members(State& state, Port& bond) {
    const std::vector<std::string> members = members_of(state, bond.name);
    bond.link->carrier = bond.link->up && std::ranges::any_of(members, [&](const auto& name) {
                             return find_port(state, name)->link->carrier;
                         });
    std::vector<Port> touched;
    for (Port& port : state.ports) {
        if (!port.link || port.link->lower != bond.name) continue;
        const Port old = port;
        follow(port, bond);
        if (!(old == port)) touched.push_back(old);
    }
    return touched;
}

Refused out_of_range(const Link& link, std::uint32_t mtu) {
    const auto no = [](const char* why, std::uint32_t limit) {
        return Refusal{.code = EINVAL, .text = why + std::to_string(limit)};
    };
    if (mtu < link.mtu_min) return no("mtu less than device minimum, ", link.mtu_min);
    if (link.mtu_max != 0 && mtu > link.mtu_max)
        return no("mtu greater than device maximum, ", link.mtu_max);
    return std::nullopt;
}

}  // namespace core::link

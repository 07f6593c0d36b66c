// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>

#include "core/objects/edit.hpp"
#include "core/objects/rows.hpp"

namespace core {
namespace {

using AddressEdit = Edit<Address>;

Prefix network_of(const Address& address) {
    return network({.ip = address.ip, .length = address.prefix_length});
}

bool same_network(const Address& left, const Address& right) {
    return network_of(left) == network_of(right);
}

bool any_v4(const Port& port) {
    return std::ranges::any_of(*port.addresses,
                               [](const Address& address) { return !address.ip.v6; });
}

/// Takes an address and what goes with it: routes from it, the connected network, IPv4 secondaries
/// of the same network (promote_secondaries is off by default), and with the last IPv4 address
/// every IPv4 route and neighbour (net/ipv4/devinet.c __inet_del_ifa, fib_frontend.c
/// fib_del_ifaddr and fib_disable_ip).
void take(Port& port, const Address& gone) {
    const auto here = std::ranges::find(*port.addresses, gone.ip, &Address::ip);
    if (here == port.addresses->end()) return;
    std::vector<Address> lost = {*here};
    const bool primary =
        std::ranges::none_of(port.addresses->begin(), here,
                             [&](const Address& other) { return same_network(other, *here); });
    if (primary && !here->ip.v6)
        std::ranges::copy_if(here + 1, port.addresses->end(), std::back_inserter(lost),
                             [&](const Address& other) { return same_network(other, lost[0]); });
    const auto is_lost = [&](const Ip& ip) {
        return std::ranges::find(lost, ip, &Address::ip) != lost.end();
    };
    lose_addresses(port, is_lost);
    const bool connected_left = std::ranges::any_of(
        *port.addresses, [&](const Address& other) { return same_network(other, lost[0]); });
    lose_routes(port, [&](const Route& route) {
        const bool from_lost = route.source && is_lost(*route.source);
        const bool connected =
            route.to == network_of(lost[0]) && !route.via && route.protocol == 2 && !connected_left;
        return from_lost || connected || (!route.to.ip.v6 && !any_v4(port));
    });
    if (!lost[0].ip.v6 && !any_v4(port)) lose_neighbours(port, [](const Ip& ip) { return !ip.v6; });
}

}  // namespace

void connect(Port& port) {
    if (!port.addresses || !port.routes || !port.link || !port.link->up) return;
    for (const Address& address : *port.addresses) {
        if (!address.ip.v6 && address.prefix_length >= 32) continue;
        Route route{.to = network_of(address),
                    .metric = address.ip.v6 ? 256U : 0U,  // IP6_RT_PRIO_ADDRCONF
                    .scope = static_cast<std::uint8_t>(address.ip.v6 ? 0 : 253),
                    .protocol = 2};
        if (!address.ip.v6) route.source = address.ip;
        const bool there = std::ranges::any_of(*port.routes, [&](const Route& other) {
            return other.to == route.to && other.table == route.table &&
                   other.metric == route.metric;
        });
        if (!there) port.routes->push_back(route);
    }
}

std::vector<AddressEdit> address_edits(const std::vector<Address>& now,
                                       const std::vector<Address>& then) {
    std::vector<AddressEdit> edits;
    for (const Address& address : now) {
        const auto stays = std::ranges::find_if(then, [&](const Address& other) {
            return other.ip == address.ip && other.prefix_length == address.prefix_length;
        });
        if (stays == then.end()) edits.push_back({AddressEdit::Kind::remove, address});
    }
    for (const Address& address : then) {
        const auto there = std::ranges::find_if(now, [&](const Address& other) {
            return other.ip == address.ip && other.prefix_length == address.prefix_length;
        });
        if (there == now.end()) edits.push_back({AddressEdit::Kind::add, address});
    }
    return edits;
}

namespace {

/// The addresses of `then` that the removals take along, to be put back in the same write.
std::vector<Address> taken_along(const Port& now, const Port& then) {
    Port port = now;
    for (const AddressEdit& edit : address_edits(*now.addresses, *then.addresses)) {
        if (edit.kind == AddressEdit::Kind::remove)
            take(port, edit.entry);
        else
            port.addresses->push_back(edit.entry);
    }
    std::vector<Address> out;
    for (const Address& address : *then.addresses)
        if (std::ranges::find(*port.addresses, address.ip, &Address::ip) == port.addresses->end())
            out.push_back(address);
    return out;
}

/// Nothing reaches an address of a member: what arrives is the bond's.
Reason refuses(const Driver& /*driver*/, const Port& now, const Port& then) {
    const std::string bond = bond_of(now);
    const auto edits = address_edits(*now.addresses, *then.addresses);
    const bool adds = std::ranges::any_of(
        edits, [](const AddressEdit& edit) { return edit.kind != AddressEdit::Kind::remove; });
    if (bond.empty() || !adds) return std::nullopt;
    return "the port is a member of " + bond +
           ", to which all that arrives goes; state addresses for " + bond;
}

Played play(const Driver& /*driver*/, Port& now, const Port& then) {
    const std::vector<Address> back = taken_along(now, then);
    for (const AddressEdit& edit : address_edits(*now.addresses, *then.addresses)) {
        if (edit.kind == AddressEdit::Kind::remove) {
            take(now, edit.entry);
        } else if (edit.entry.ip.v6 && now.link && now.link->mtu < kIpv6Minimum) {
            return Refusal{.code = EINVAL, .text = "Invalid argument"};  // ipv6_add_dev
        } else {
            now.addresses->push_back(edit.entry);
            connect(now);
        }
    }
    for (const Address& address : back)
        now.addresses->push_back(address);
    connect(now);
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    Commands lines;
    for (const AddressEdit& edit : address_edits(*now.addresses, *then.addresses))
        lines.push_back(std::string("ip address ") +
                        (edit.kind == AddressEdit::Kind::remove ? "delete " : "add ") +
                        text(Prefix{.ip = edit.entry.ip, .length = edit.entry.prefix_length}) +
                        " dev " + now.name);
    for (const Address& address : taken_along(now, then))
        lines.push_back("ip address add " +
                        text(Prefix{.ip = address.ip, .length = address.prefix_length}) + " dev " +
                        now.name);
    return lines;
}

constexpr std::array kTouches = {Object::routes, Object::neighbours};

}  // namespace

constinit const ObjectRow addresses_row = {.object = Object::addresses,
                                           .name = "addresses",
                                           .doc = "IP addresses.",
                                           .copy = copy<&Port::addresses, &Port::addresses_beyond>,
                                           .touches = kTouches,
                                           .refuses = refuses,
                                           .play = play,
                                           .spell = spell};

}  // namespace core

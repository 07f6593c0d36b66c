// SPDX-License-Identifier: Apache-2.0
#include "core/objects/ip/addresses.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include "core/model/access.hpp"
#include "core/model/edit.hpp"
#include "core/objects/ip/route_record.hpp"
#include "core/objects/rows.hpp"

namespace core::addresses {

namespace {

Got get_addresses(const Port& port) {
    if (!port.addresses) return std::nullopt;
    Elements elements;
    for (const Address& address : *port.addresses)
        elements.emplace(core::text(address.ip),
                         core::text(Prefix{.ip = address.ip, .length = address.prefix_length}));
    return elements;
}

void set_addresses(Port& port, const Elements& elements) {
    std::vector<Address> addresses;
    for (const auto& [key, value] : elements) {
        const auto prefix = parse_prefix(std::get<std::string>(value)).value_or(Prefix{});
        bool by_kernel = prefix.ip.v6 && is_link_local(prefix.ip);
        if (port.addresses)
            for (const Address& old : *port.addresses)
                if (old.ip == prefix.ip) by_kernel = old.by_kernel;
        addresses.push_back(
            {.ip = prefix.ip, .prefix_length = prefix.length, .by_kernel = by_kernel});
    }
    port.addresses = std::move(addresses);
}

Got get_kernel_addresses(const Port& port) {
    if (!port.addresses) return std::nullopt;
    Elements elements;
    for (const Address& address : *port.addresses)
        if (address.by_kernel)
            elements.emplace(core::text(address.ip),
                             core::text(Prefix{.ip = address.ip, .length = address.prefix_length}));
    return elements;
}

void set_kernel_addresses(Port& port, const Elements& elements) {
    auto& addresses = part_of<&Port::addresses>(port);
    for (Address& address : addresses)
        address.by_kernel = elements.contains(core::text(address.ip));
}

Value canonical_address(const Value& value) {
    const auto* address = std::get_if<std::string>(&value);
    const auto prefix = address == nullptr ? std::nullopt : parse_prefix(*address);
    return prefix ? Value(core::text(*prefix)) : value;
}

Got get_addresses_beyond(const Port& port) {
    if (!port.addresses) return std::nullopt;
    Elements elements;
    for (const AddressBeyond& beyond : port.addresses_beyond)
        elements.emplace(core::text(beyond.ip) + ' ' + beyond.what,
                         Record{{"address", core::text(beyond.ip)}, {"what", beyond.what}});
    return elements;
}

void set_addresses_beyond(Port& port, const Elements& elements) {
    part_of<&Port::addresses>(port);
    port.addresses_beyond.clear();
    for (const auto& [key, value] : elements) {
        const auto& record = std::get<Record>(value);
        port.addresses_beyond.push_back(
            {.ip = parse_ip(text_part(record, "address")).value_or(Ip{}),
             .what = text_part(record, "what")});
    }
}

using enum Shape::Kind;
using Text = Shape::Text;

constexpr std::array kAddressBeyondParts = {RecordPart{.name = "address",
                                                       .shape = {.kind = text, .text = Text::ip},
                                                       .doc = "The address.",
                                                       .required = true,
                                                       .identity = true},
                                            kWhat};

constexpr std::array kFields = {
    setting("addresses", {.kind = items, .text = Text::address, .canonical = canonical_address},
            "IPv4 and IPv6 addresses, each with its prefix length.", get_addresses, set_addresses),
    fact("addresses_by_kernel", {.kind = items, .text = Text::address},
         "Addresses that the kernel made itself: link-local and autoconfigured ones.",
         get_kernel_addresses, set_kernel_addresses),
    beyond("addresses_beyond", {.kind = items, .parts = kAddressBeyondParts},
           "What addresses have that no setting holds; it goes with the address for good.",
           get_addresses_beyond, set_addresses_beyond),
};

}  // namespace

Prefix network_of(const Address& address) {
    return network({.ip = address.ip, .length = address.prefix_length});
}

void lose(Port& port, const std::function<bool(const Ip&)>& gone) {
    if (!port.addresses) return;
    std::erase_if(*port.addresses, [&](const Address& address) { return gone(address.ip); });
    std::erase_if(port.addresses_beyond,
                  [&](const AddressBeyond& beyond) { return gone(beyond.ip); });
}

namespace {

using AddressEdit = Edit<Address>;

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
    lose(port, is_lost);
    const bool connected_left = std::ranges::any_of(
        *port.addresses, [&](const Address& other) { return same_network(other, lost[0]); });
    routes::lose(port, [&](const Route& route) {
        const bool from_lost = route.source && is_lost(*route.source);
        const bool connected =
            route.to == network_of(lost[0]) && !route.via && route.protocol == 2 && !connected_left;
        return from_lost || connected || (!route.to.ip.v6 && !any_v4(port));
    });
    if (!lost[0].ip.v6 && !any_v4(port))
        neighbours::lose(port, [](const Ip& ip) { return !ip.v6; });
}

}  // namespace

std::vector<AddressEdit> edits(const std::vector<Address>& now, const std::vector<Address>& then) {
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
    for (const AddressEdit& edit : edits(*now.addresses, *then.addresses)) {
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
    const std::string bond = link::bond_of(now);
    const auto messages = edits(*now.addresses, *then.addresses);
    const bool adds = std::ranges::any_of(
        messages, [](const AddressEdit& edit) { return edit.kind != AddressEdit::Kind::remove; });
    if (bond.empty() || !adds) return std::nullopt;
    return "the port is a member of " + bond +
           ", to which all that arrives goes; state addresses for " + bond;
}

/// The GIDs of a VLAN's addresses are in the table of the device below (roce_gid_mgmt.c
/// is_eth_port_of_netdev_filter). Gives back that port, as it was.
std::vector<Port> forget_gids_below(State& state, const Port& now) {
    Port* lower = now.link ? find_port(state, now.link->lower) : nullptr;
    if (lower == nullptr || !lower->rdma_port || lower->rdma_port->gids.empty()) return {};
    std::vector<Port> touched = {*lower};
    forget_gids(*lower);
    return touched;
}

Played play(const Driver& /*driver*/, State& state, Port& now, const Port& then) {
    const std::vector<Address> back = taken_along(now, then);
    for (const AddressEdit& edit : edits(*now.addresses, *then.addresses)) {
        if (edit.kind == AddressEdit::Kind::remove) {
            take(now, edit.entry);
        } else if (edit.entry.ip.v6 && now.link && now.link->mtu < link::kIpv6Minimum) {
            return Refusal{.code = EINVAL, .text = "Invalid argument"};  // ipv6_add_dev
        } else {
            now.addresses->push_back(edit.entry);
            routes::connect(now);
        }
    }
    for (const Address& address : back)
        now.addresses->push_back(address);
    routes::connect(now);
    forget_gids(now);
    return Played(forget_gids_below(state, now));
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    Commands lines;
    for (const AddressEdit& edit : edits(*now.addresses, *then.addresses))
        lines.push_back(
            std::string("ip address ") +
            (edit.kind == AddressEdit::Kind::remove ? "delete " : "add ") +
            core::text(Prefix{.ip = edit.entry.ip, .length = edit.entry.prefix_length}) + " dev " +
            now.name);
    for (const Address& address : taken_along(now, then))
        lines.push_back("ip address add " +
                        core::text(Prefix{.ip = address.ip, .length = address.prefix_length}) +
                        " dev " + now.name);
    return lines;
}

constexpr std::array kTouches = {Object::routes, Object::neighbours};

bool by_kernel(const Port& port, std::string_view element) {
    return port.addresses && std::ranges::any_of(*port.addresses, [&](const Address& address) {
               return address.by_kernel && core::text(address.ip) == element;
           });
}

}  // namespace

constinit const ObjectRow row = {.object = Object::addresses,
                                 .name = "addresses",
                                 .doc = "IP addresses.",
                                 .topic = Topic::ip,
                                 .child_states = true,
                                 .written_by = Others::network_daemon,
                                 .fields = kFields,
                                 .touches = kTouches,
                                 .by_kernel = by_kernel,
                                 .refuses = refuses,
                                 .play = play,
                                 .spell = spell};

}  // namespace core::addresses

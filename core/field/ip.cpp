// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "core/field/access.hpp"
#include "core/field/rows.hpp"
#include "core/objects/ip/route_record.hpp"

// IP: addresses and routes of the port.

namespace core {
namespace {

Got get_addresses(const Port& port) {
    if (!port.addresses) return std::nullopt;
    Elements elements;
    for (const Address& address : *port.addresses)
        elements.emplace(text(address.ip),
                         text(Prefix{.ip = address.ip, .length = address.prefix_length}));
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
            elements.emplace(text(address.ip),
                             text(Prefix{.ip = address.ip, .length = address.prefix_length}));
    return elements;
}

void set_kernel_addresses(Port& port, const Elements& elements) {
    auto& addresses = part_of<&Port::addresses>(port);
    for (Address& address : addresses)
        address.by_kernel = elements.contains(text(address.ip));
}

Value canonical_address(const Value& value) {
    const auto* address = std::get_if<std::string>(&value);
    const auto prefix = address == nullptr ? std::nullopt : parse_prefix(*address);
    return prefix ? Value(text(*prefix)) : value;
}

Got get_routes(const Port& port) {
    if (!port.routes) return std::nullopt;
    Elements elements;
    for (const Route& route : *port.routes)
        elements.emplace(identity(route), record_of(route));
    return elements;
}

void set_routes(Port& port, const Elements& elements) {
    std::vector<Route> routes;
    for (const auto& [key, value] : elements)
        routes.push_back(route_of(std::get<Record>(value)));
    port.routes = std::move(routes);
}

Value canonical_route(const Value& value) {
    const auto* record = std::get_if<Record>(&value);
    return record == nullptr ? value : Value(record_of(route_of(*record)));
}

Got get_addresses_beyond(const Port& port) {
    if (!port.addresses) return std::nullopt;
    Elements elements;
    for (const AddressBeyond& beyond : port.addresses_beyond)
        elements.emplace(text(beyond.ip) + ' ' + beyond.what,
                         Record{{"address", text(beyond.ip)}, {"what", beyond.what}});
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

Got get_routes_beyond(const Port& port) {
    if (!port.routes) return std::nullopt;
    Elements elements;
    for (const RouteBeyond& beyond : port.routes_beyond) {
        Record record = record_of(beyond.route);
        record["what"] = beyond.what;
        elements.emplace(identity(beyond.route) + ' ' + beyond.what, std::move(record));
    }
    return elements;
}

void set_routes_beyond(Port& port, const Elements& elements) {
    part_of<&Port::routes>(port);
    port.routes_beyond.clear();
    for (const auto& [key, value] : elements) {
        const auto& record = std::get<Record>(value);
        port.routes_beyond.push_back(
            {.route = route_of(record), .what = text_part(record, "what")});
    }
}

template <auto Member>
Got get_in_force(const Port& port) {
    if (!port.ipv4) return std::nullopt;
    return one(std::uint64_t{((*port.ipv4).*Member).in_force()});
}
/// Less than the host's own value is asked of the host: no port can have it.
template <auto Member>
void set_in_force(Port& port, const Elements& elements) {
    Joint& joint = part_of<&Port::ipv4>(port).*Member;
    const auto wished = static_cast<std::uint8_t>(plain<std::uint64_t>(elements));
    if (wished == joint.in_force()) return;
    joint.own = wished;
    joint.all = std::min(joint.all, wished);
}

template <auto Member>
Got get_own(const Port& port) {
    if (!port.ipv4) return std::nullopt;
    return one(std::uint64_t{((*port.ipv4).*Member).own});
}
template <auto Member>
void set_own(Port& port, const Elements& elements) {
    (part_of<&Port::ipv4>(port).*Member).own =
        static_cast<std::uint8_t>(plain<std::uint64_t>(elements));
}

template <auto Member>
Got get_all(const Port& port) {
    if (!port.ipv4) return std::nullopt;
    return one(std::uint64_t{((*port.ipv4).*Member).all});
}
template <auto Member>
void set_all(Port& port, const Elements& elements) {
    (part_of<&Port::ipv4>(port).*Member).all =
        static_cast<std::uint8_t>(plain<std::uint64_t>(elements));
}

bool accepts_local(const Port& port) {
    return port.ipv4->accept_local.in_force() != 0;
}
Got get_accept_local(const Port& port) {
    if (!port.ipv4) return std::nullopt;
    return one(accepts_local(port));
}
void set_accept_local(Port& port, const Elements& elements) {
    part_of<&Port::ipv4>(port);
    if (plain<bool>(elements) == accepts_local(port)) return;
    set_in_force<&Ipv4::accept_local>(port, one(std::uint64_t{plain<bool>(elements)}));
}

constexpr std::array<std::string_view, 4> kAddressModes = {"eui64", "none", "stable_secret",
                                                           "random"};
Got get_address_mode(const Port& port) {
    if (!port.ipv6) return std::nullopt;
    return one(std::string(kAddressModes.at(port.ipv6->addr_gen_mode % kAddressModes.size())));
}
void set_address_mode(Port& port, const Elements& elements) {
    const auto found = std::ranges::find(kAddressModes, plain<std::string>(elements));
    part_of<&Port::ipv6>(port).addr_gen_mode =
        static_cast<std::uint8_t>(found - kAddressModes.begin());
}

using enum Shape::Kind;
using Text = Shape::Text;

constexpr std::array kAddressBeyondParts = {
    RecordPart{.name = "address",
               .shape = {.kind = text, .text = Text::ip},
               .doc = "The address.",
               .required = true,
               .identity = true},
    RecordPart{.name = "what",
               .shape = {.kind = text},
               .doc = "What it has beside, as ip(8) names it.",
               .required = true,
               .identity = true},
};

using enum Object;

template <auto Member>
constexpr Field own(std::string_view key, std::string_view doc) {
    return kept(key, ipv4, {.kind = number, .max = 255}, doc, get_own<Member>, set_own<Member>);
}

template <auto Member>
constexpr Field all(std::string_view key, std::string_view doc) {
    return fact(key, ipv4, {.kind = number, .max = 255}, doc, get_all<Member>, set_all<Member>);
}

const std::array kRows = {
    setting(
        "ip.arp_ignore", ipv4, {.kind = number, .max = 8},
        "For which addresses the port answers ARP, the larger of its own and the host's value; 1 "
        "is its own alone.",
        get_in_force<&Ipv4::arp_ignore>, set_in_force<&Ipv4::arp_ignore>),
    setting(
        "ip.arp_announce", ipv4, {.kind = number, .max = 2},
        "Which source address ARP requests name, the larger of the port's and the host's value; "
        "2 is the best one of the port.",
        get_in_force<&Ipv4::arp_announce>, set_in_force<&Ipv4::arp_announce>),
    setting(
        "ip.rp_filter", ipv4, {.kind = number, .max = 2},
        "Reverse path filter, the larger of the port's and the host's value: 0 off, 1 strict, 2 "
        "loose.",
        get_in_force<&Ipv4::rp_filter>, set_in_force<&Ipv4::rp_filter>),
    setting("ip.accept_local", ipv4, {.kind = flag},
            "The port takes packets from addresses of this host; on if the port's or the host's "
            "value is.",
            get_accept_local, set_accept_local),
    own<&Ipv4::arp_ignore>("ip.own.arp_ignore", "The port's own value of ip.arp_ignore."),
    own<&Ipv4::arp_announce>("ip.own.arp_announce", "The port's own value of ip.arp_announce."),
    own<&Ipv4::rp_filter>("ip.own.rp_filter", "The port's own value of ip.rp_filter."),
    own<&Ipv4::accept_local>("ip.own.accept_local", "The port's own value of ip.accept_local."),
    all<&Ipv4::arp_ignore>("ip.all.arp_ignore", "The host's value of ip.arp_ignore."),
    all<&Ipv4::arp_announce>("ip.all.arp_announce", "The host's value of ip.arp_announce."),
    all<&Ipv4::rp_filter>("ip.all.rp_filter", "The host's value of ip.rp_filter."),
    all<&Ipv4::accept_local>("ip.all.accept_local", "The host's value of ip.accept_local."),
    setting("ip.addr_gen_mode", ipv6, {.kind = word, .words = kAddressModes},
            "How the kernel makes the port's IPv6 addresses, and with them GIDs.", get_address_mode,
            set_address_mode),
    setting("addresses", addresses,
            {.kind = items, .text = Text::address, .canonical = canonical_address},
            "IPv4 and IPv6 addresses, each with its prefix length.", get_addresses, set_addresses),
    fact("addresses_by_kernel", addresses, {.kind = items, .text = Text::address},
         "Addresses that the kernel made itself: link-local and autoconfigured ones.",
         get_kernel_addresses, set_kernel_addresses),
    beyond("addresses_beyond", addresses, {.kind = items, .parts = kAddressBeyondParts},
           "What addresses have that no setting holds; it goes with the address for good.",
           get_addresses_beyond, set_addresses_beyond),
    setting("routes", routes, {.kind = items, .parts = route_parts(), .canonical = canonical_route},
            "Routes out of the port.", get_routes, set_routes),
    beyond("routes_beyond", routes,
           {.kind = items, .parts = route_beyond_parts(), .canonical = canonical_route_beyond},
           "What routes have that no setting holds; it goes with the route for good.",
           get_routes_beyond, set_routes_beyond),
};

}  // namespace

std::span<const Field> ip_fields() {
    return kRows;
}

}  // namespace core

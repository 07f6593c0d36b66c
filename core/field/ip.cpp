// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "core/field/access.hpp"
#include "core/field/rows.hpp"
#include "core/model/route_record.hpp"

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

const std::array kRows = {
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

// SPDX-License-Identifier: Apache-2.0
#include "core/objects/ip/routes.hpp"

#include <algorithm>
#include <array>

#include "core/model/access.hpp"
#include "core/model/edit.hpp"
#include "core/model/shell.hpp"
#include "core/objects/ip/long_lists.hpp"
#include "core/objects/ip/route_record.hpp"
#include "core/objects/ip/route_words.hpp"
#include "core/objects/rows.hpp"

namespace core::routes {

namespace {

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

constexpr std::array kRouteParts = {
    RecordPart{.name = "to",
               .shape = {.kind = Shape::Kind::text, .text = Shape::Text::prefix},
               .doc = "Destination network; default is that of all addresses, of the gateway's "
                      "family.",
               .required = true,
               .identity = true},
    RecordPart{.name = "via",
               .shape = {.kind = Shape::Kind::text, .text = Shape::Text::ip},
               .doc = "Gateway; without one the destination is on the link."},
    RecordPart{.name = "source",
               .shape = {.kind = Shape::Kind::text, .text = Shape::Text::ip},
               .doc = "Preferred source address."},
    RecordPart{.name = "table",
               .shape = {.kind = Shape::Kind::word, .min = 1, .max = kU32, .words = kTableWords},
               .doc = "Routing table; main where not stated.",
               .identity = true,
               .absent_means = "main"},
    RecordPart{.name = "metric",
               .shape = {.kind = Shape::Kind::number, .min = 0, .max = kU32},
               .doc = "Priority among routes to one destination; 0, or 1024 for IPv6, where not "
                      "stated.",
               .identity = true,
               .absent_means = "0"},
    RecordPart{.name = "scope",
               .shape = {.kind = Shape::Kind::word, .max = 255, .words = kScopeWords},
               .doc = "Distance to the destination, IPv4 only; global with a gateway, else link."},
    RecordPart{.name = "protocol",
               .shape = {.kind = Shape::Kind::word, .max = 255, .words = kProtocolWords},
               .doc = "Who made the route; static where not stated."},
    RecordPart{.name = "mtu",
               .shape = {.kind = Shape::Kind::number, .min = 68, .max = 65535},
               .doc = "Path MTU to the destination, in bytes."}};

constexpr auto kRouteBeyondParts = with_what(kRouteParts);

constexpr std::array kFields = {
    with(kLong,
         setting("routes", {.kind = items, .parts = kRouteParts, .canonical = canonical_route},
                 "Routes out of the port.", get_routes, set_routes)),
    beyond("routes_beyond",
           {.kind = items, .parts = kRouteBeyondParts, .canonical = canonical_route_beyond},
           "What routes have that no setting holds; it goes with the route for good.",
           get_routes_beyond, set_routes_beyond),
};

}  // namespace

namespace {

using RouteEdit = Edit<Route>;

std::string spell_route(const Port& port, const Route& route) {
    std::string line = core::text(route.to);
    if (route.via) line += " via " + core::text(*route.via);
    line += " dev " + shell(port.name);
    if (route.source) line += " src " + core::text(*route.source);
    if (route.table != 254) line += " table " + table_word(route.table);
    if (route.metric != 0) line += " metric " + std::to_string(route.metric);
    if (!route.to.ip.v6) line += " scope " + scope_word(route.scope);
    line += " proto " + protocol_word(route.protocol);
    if (route.mtu != 0) line += " mtu " + std::to_string(route.mtu);
    return line;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    Commands lines;
    for (const RouteEdit& edit : edits(*now.routes, *then.routes)) {
        const std::string family = edit.entry.to.ip.v6 ? "ip -6 route " : "ip route ";
        std::string verb = "add ";
        if (edit.kind == RouteEdit::Kind::remove) verb = "delete ";
        lines.push_back(family + verb + spell_route(now, edit.entry));
    }
    return lines;
}

constexpr std::array kConsults = {Object::addresses};

ElementNames by_kernel(const Port& port) {
    ElementNames out;
    if (!port.routes) return out;
    for (const Route& route : made_by_kernel(port))
        out.insert(identity(route));
    return out;
}

std::optional<std::pair<Object, std::string>> rests_on(const Value& value) {
    const auto* record = std::get_if<Record>(&value);
    const auto source = record == nullptr ? Record::const_iterator{} : record->find("source");
    if (record == nullptr || source == record->end()) return std::nullopt;
    const auto ip = parse_ip(std::get<std::string>(source->second));
    if (!ip) return std::nullopt;
    return std::pair(Object::addresses, core::text(*ip));
}

/// A route goes with its source address, and cannot be put back without it.
bool lost_its_source(const Port& before, const Port& now, const Value& value) {
    const auto* record = std::get_if<Record>(&value);
    const auto source = record == nullptr ? Record::const_iterator{} : record->find("source");
    if (record == nullptr || source == record->end()) return false;
    const auto ip = parse_ip(std::get<std::string>(source->second));
    const auto holds_it = [&](const Port& port) {
        return ip && port.addresses &&
               std::ranges::find(*port.addresses, *ip, &Address::ip) != port.addresses->end();
    };
    return holds_it(before) && !holds_it(now);
}

Reason goes_with(Object written, const Port& before, const Port& now, const Value& value) {
    if (written != Object::addresses || !lost_its_source(before, now, value)) return std::nullopt;
    return "goes with its source address";
}

constexpr std::array kAtBoot = {
    AtBoot{"routes", BootProgram::networkd, "Route.*", false},
    AtBoot{"routes", BootProgram::networkd, "Network.Gateway", false},
    AtBoot{"routes", BootProgram::network_manager, "ipv4.route*", false},
    AtBoot{"routes", BootProgram::network_manager, "ipv6.route*", false},
    AtBoot{"routes", BootProgram::network_manager, "ipv4.gateway", false},
    AtBoot{"routes", BootProgram::network_manager, "ipv6.gateway", false},
    AtBoot{"routes", BootProgram::ifupdown, "gateway", false},
};

}  // namespace

constinit const ObjectRow row = {.object = Object::routes,
                                 .name = "routes",
                                 .doc = "Routes out of the port.",
                                 .topic = Topic::ip,
                                 .child_states = true,
                                 .written_by = Others::network_daemon,
                                 .fields = kFields,
                                 .consults = kConsults,
                                 .by_kernel = by_kernel,
                                 .goes_with = goes_with,
                                 .rests_on = rests_on,
                                 .sees_others = true,
                                 .play = play,
                                 .spell = spell,
                                 .at_boot = kAtBoot};

}  // namespace core::routes

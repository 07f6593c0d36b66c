// SPDX-License-Identifier: Apache-2.0
#include "core/objects/ip/routes.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include "core/model/access.hpp"
#include "core/model/edit.hpp"
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
    setting("routes", {.kind = items, .parts = kRouteParts, .canonical = canonical_route},
            "Routes out of the port.", get_routes, set_routes),
    beyond("routes_beyond",
           {.kind = items, .parts = kRouteBeyondParts, .canonical = canonical_route_beyond},
           "What routes have that no setting holds; it goes with the route for good.",
           get_routes_beyond, set_routes_beyond),
};

}  // namespace

void lose(Port& port, const std::function<bool(const Route&)>& gone) {
    if (!port.routes) return;
    std::erase_if(*port.routes, gone);
    std::erase_if(port.routes_beyond,
                  [&](const RouteBeyond& beyond) { return gone(beyond.route); });
}

void connect(Port& port) {
    if (!port.addresses || !port.routes || !port.link || !port.link->up) return;
    for (const Address& address : *port.addresses) {
        if (!address.ip.v6 && address.prefix_length >= 32) continue;
        Route route{.to = addresses::network_of(address),
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

namespace {

using RouteEdit = Edit<Route>;

bool same_identity(const Route& left, const Route& right) {
    return left.to == right.to && left.table == right.table && left.metric == right.metric;
}

const Route* find_same(const std::vector<Route>& routes, const Route& route) {
    const auto found = std::ranges::find_if(
        routes, [&](const Route& other) { return same_identity(other, route); });
    return found == routes.end() ? nullptr : &*found;
}

bool has_address(const Port& port, const Ip& ip) {
    return port.addresses &&
           std::ranges::find(*port.addresses, ip, &Address::ip) != port.addresses->end();
}

/// Whether a gateway can be reached without another gateway; of IPv4 the port's own address is one
/// (net/ipv4/fib_semantics.c fib_check_nh, net/ipv6/route.c ip6_route_check_nh).
bool on_link(const Port& port, const Ip& gateway) {
    if (gateway.v6 && is_link_local(gateway)) return true;
    if (!gateway.v6 && has_address(port, gateway)) return true;
    const auto reaches = [&](const Route& route) {
        return !route.via && contains(route.to, gateway);
    };
    return std::ranges::any_of(*port.routes, reaches);
}

/// A route that no setting describes takes the place of one all the same, unless it is for a type
/// of service of its own (net/ipv4/fib_trie.c fib_find_alias).
bool place_taken(const Port& port, const Route& route) {
    return std::ranges::any_of(port.routes_beyond, [&](const RouteBeyond& beyond) {
        return same_identity(beyond.route, route) && !beyond.what.starts_with("tos ") &&
               find_same(*port.routes, beyond.route) == nullptr;
    });
}

Refused refused(const Port& port, const Route& route) {
    if (place_taken(port, route)) return Refusal{.code = EEXIST, .text = "File exists"};
    if (port.link && !port.link->up)
        return Refusal{.code = ENETDOWN, .text = "Nexthop device is not up"};
    const bool six = route.to.ip.v6 || (route.via && route.via->v6);
    if (six && port.link && port.link->mtu < link::kIpv6Minimum)
        return Refusal{.code = ENODEV, .text = "No such device: no IPv6 below an MTU of 1280"};
    if (!route.via || !port.routes || on_link(port, *route.via)) return std::nullopt;
    if (route.to.ip.v6) return Refusal{.code = EHOSTUNREACH, .text = "No route to host"};
    return Refusal{.code = ENETUNREACH, .text = "Nexthop has invalid gateway"};
}

std::string spell_route(const Port& port, const Route& route) {
    std::string line = core::text(route.to);
    if (route.via) line += " via " + core::text(*route.via);
    line += " dev " + port.name;
    if (route.source) line += " src " + core::text(*route.source);
    if (route.table != 254) line += " table " + table_word(route.table);
    if (route.metric != 0) line += " metric " + std::to_string(route.metric);
    if (!route.to.ip.v6) line += " scope " + scope_word(route.scope);
    line += " proto " + protocol_word(route.protocol);
    if (route.mtu != 0) line += " mtu " + std::to_string(route.mtu);
    return line;
}

}  // namespace

/// A changed route is removed and added: the kernel's own replace looks at (to, table, metric)
/// alone and may take the route of another port (net/ipv4/fib_trie.c fib_table_insert).
std::vector<RouteEdit> edits(const std::vector<Route>& now, const std::vector<Route>& then) {
    std::vector<RouteEdit> edits;
    for (const Route& route : now) {
        const Route* stays = find_same(then, route);
        if (stays == nullptr || !(*stays == route))
            edits.push_back({RouteEdit::Kind::remove, route});
    }
    for (const Route& route : then) {
        const Route* old = find_same(now, route);
        if (old == nullptr || !(*old == route)) edits.push_back({RouteEdit::Kind::add, route});
    }
    // A gateway is reached by a route without one, so those come first and go last.
    std::ranges::stable_sort(edits, {}, [](const RouteEdit& edit) {
        const bool remove = edit.kind == RouteEdit::Kind::remove;
        return remove ? (edit.entry.via ? 0 : 1) : (edit.entry.via ? 3 : 2);
    });
    return edits;
}

namespace {

bool is_loopback(const Ip& ip) {
    return !ip.v6 && ip.bytes[0] == 127;
}

/// Whether some port has the address; nothing where not all of them were asked. Of link-local ones
/// only those of the port itself count (net/ipv4/fib_semantics.c fib_valid_prefsrc,
/// net/ipv6/addrconf.c ipv6_chk_addr).
std::optional<bool> is_ours(const State& state, const Port& port, const Ip& ip) {
    if (is_loopback(ip)) return true;
    const bool of_link = ip.v6 && is_link_local(ip);
    bool all_known = state.others.has_value();
    const auto has = [&](const Port& one) {
        const bool yet_to_be = one.vlan && !one.link;
        if (one.name == kHost || yet_to_be) return false;
        if (!one.addresses) all_known = false;
        return (!of_link || one.name == port.name) && has_address(one, ip);
    };
    if (std::ranges::any_of(state.ports, has)) return true;
    if (state.others && std::ranges::any_of(*state.others, has)) return true;
    return all_known ? std::optional(false) : std::nullopt;
}

/// What leaves must be the host's, and what it is handed to must not be (of IPv6,
/// net/ipv6/route.c ip6_validate_gw).
Refused misplaced(const State& state, const Port& port, const Route& route) {
    if (route.via && route.via->v6 && is_ours(state, port, *route.via).value_or(false))
        return Refusal{.code = EINVAL,
                       .text = "Gateway can not be a local address: " + core::text(*route.via)};
    if (!route.source || is_ours(state, port, *route.source).value_or(true)) return std::nullopt;
    const std::string why = route.to.ip.v6 ? "Invalid source address" : "Invalid prefsrc address";
    return Refusal{.code = EINVAL, .text = why + ": no port has " + core::text(*route.source)};
}

/// (to, table, metric) is taken once a host: a second route of it, also of another port, is
/// refused (NLM_F_EXCL).
Refused route_taken(const State& state, const Port& now, const Port& then) {
    const auto has = [](const Port& port, const Route& route) {
        return port.routes && find_same(*port.routes, route) != nullptr;
    };
    for (const Route& route : then.routes.value_or(std::vector<Route>{})) {
        if (has(now, route)) continue;
        for (const Port& other : state.ports)
            if (other.name != then.name && has(other, route))
                return Refusal{
                    .code = EEXIST,
                    .text = "File exists: " + other.name + " has the route " + identity(route)};
    }
    return std::nullopt;
}

Played play(const Driver& /*driver*/, State& state, Port& now, const Port& then) {
    if (const Refused no = route_taken(state, now, then)) return *no;
    for (const RouteEdit& edit : edits(*now.routes, *then.routes)) {
        if (edit.kind != RouteEdit::Kind::remove) {
            if (Refused no = refused(now, edit.entry)) return no;
            if (Refused no = misplaced(state, now, edit.entry)) return no;
        }
        lose(now, [&](const Route& route) { return same_identity(route, edit.entry); });
        if (edit.kind != RouteEdit::Kind::remove) now.routes->push_back(edit.entry);
    }
    return std::nullopt;
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

bool by_kernel(const Port& port, std::string_view element) {
    return port.routes && std::ranges::any_of(*port.routes, [&](const Route& route) {
               return identity(route) == element && made_by_kernel(port, route);
           });
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
                                 .play = play,
                                 .spell = spell};

}  // namespace core::routes

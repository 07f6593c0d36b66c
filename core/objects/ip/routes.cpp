// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>

#include "core/objects/edit.hpp"
#include "core/objects/ip/route_record.hpp"
#include "core/objects/ip/route_words.hpp"
#include "core/objects/rows.hpp"

namespace core {
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

/// Whether a gateway can be reached without another gateway (net/ipv4/fib_semantics.c
/// fib_check_nh, net/ipv6/route.c ip6_route_check_nh).
bool on_link(const Port& port, const Ip& gateway) {
    if (gateway.v6 && is_link_local(gateway)) return true;
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

Played refused(const Port& port, const Route& route) {
    if (place_taken(port, route)) return Refusal{.code = EEXIST, .text = "File exists"};
    if (port.link && !port.link->up)
        return Refusal{.code = ENETDOWN, .text = "Nexthop device is not up"};
    if (!route.via || !port.routes || on_link(port, *route.via)) return std::nullopt;
    if (route.to.ip.v6) return Refusal{.code = EHOSTUNREACH, .text = "No route to host"};
    return Refusal{.code = ENETUNREACH, .text = "Nexthop has invalid gateway"};
}

std::string spell_route(const Port& port, const Route& route) {
    std::string line = text(route.to);
    if (route.via) line += " via " + text(*route.via);
    line += " dev " + port.name;
    if (route.source) line += " src " + text(*route.source);
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
std::vector<RouteEdit> route_edits(const std::vector<Route>& now, const std::vector<Route>& then) {
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

/// (to, table, metric) is taken once a host: a second route of it, also of another port, is
/// refused (NLM_F_EXCL).
Played route_taken(const State& state, const Port& now, const Port& then) {
    const Field& field = *find_field("routes");
    for (const auto& [element, value] : field.get(then).value_or(Elements{})) {
        if (element_of(now, field, element)) continue;
        for (const Port& other : state.ports)
            if (other.name != then.name && element_of(other, field, element))
                return Refusal{.code = EEXIST,
                               .text = "File exists: " + other.name + " has the route " + element};
    }
    return std::nullopt;
}

Played play(const Driver& /*driver*/, Port& now, const Port& then) {
    for (const RouteEdit& edit : route_edits(*now.routes, *then.routes)) {
        if (edit.kind != RouteEdit::Kind::remove)
            if (Played no = refused(now, edit.entry)) return no;
        lose_routes(now, [&](const Route& route) { return same_identity(route, edit.entry); });
        if (edit.kind != RouteEdit::Kind::remove) now.routes->push_back(edit.entry);
    }
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    Commands lines;
    for (const RouteEdit& edit : route_edits(*now.routes, *then.routes)) {
        const std::string family = edit.entry.to.ip.v6 ? "ip -6 route " : "ip route ";
        std::string verb = "add ";
        if (edit.kind == RouteEdit::Kind::remove) verb = "delete ";
        lines.push_back(family + verb + spell_route(now, edit.entry));
    }
    return lines;
}

constexpr std::array kConsults = {Object::addresses};

}  // namespace

constinit const ObjectRow routes_row = {.object = Object::routes,
                                        .name = "routes",
                                        .doc = "Routes out of the port.",
                                        .copy = copy<&Port::routes, &Port::routes_beyond>,
                                        .consults = kConsults,
                                        .clashes = route_taken,
                                        .play = play,
                                        .spell = spell};

}  // namespace core

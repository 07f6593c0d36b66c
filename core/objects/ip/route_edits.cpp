// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include "core/model/words.hpp"
#include "core/objects/rows.hpp"

// Which messages a change to the routes of a port is, and which routes come and go by themselves.

namespace core::routes {

void each_open(const Port& port, const std::function<void(const Route&)>& take) {
    if (!port.routes) return;
    std::ranges::for_each(*port.routes, take);
    for (const RouteBeyond& beyond : port.routes_beyond) {
        const std::vector<std::string> words = words_in(beyond.what, ", ");
        const bool of_some = std::ranges::any_of(
            words, [](const std::string& word) { return word == "from" || word == "tos"; });
        if (!of_some) take(beyond.route);
    }
}

void lose(Port& port, const std::function<bool(const Route&)>& gone) {
    if (!port.routes) return;
    std::erase_if(*port.routes, gone);
    std::erase_if(port.routes_beyond,
                  [&](const RouteBeyond& beyond) { return gone(beyond.route); });
}

void connect(Port& port) {
    if (!port.addresses || !port.routes || !port.link || !port.link->up) return;
    std::set<RouteKey> there;
    for (const Route& route : *port.routes)
        there.insert(key_of(route));
    for (const Address& address : *port.addresses) {
        if (!address.ip.v6 && address.prefix_length >= 32) continue;
        Route route{.to = addresses::network_of(address),
                    .metric = address.ip.v6 ? 256U : 0U,  // IP6_RT_PRIO_ADDRCONF
                    .scope = static_cast<std::uint8_t>(address.ip.v6 ? 0 : 253),
                    .protocol = 2};
        if (!address.ip.v6) route.source = address.ip;
        if (there.insert(key_of(route)).second) port.routes->push_back(route);
    }
}

void Reached::add(const Route& route) {
    if (route.via) return;
    networks_.insert(network(route.to));
    lengths_.emplace(route.to.ip.v6, route.to.length);
}

bool Reached::contains(const Ip& gateway) const {
    return std::ranges::any_of(lengths_, [&](const auto& length) {
        return length.first == gateway.v6 &&
               networks_.contains(network({.ip = gateway, .length = length.second}));
    });
}

namespace {

using RouteEdit = Edit<Route>;

/// The first of each key.
std::map<RouteKey, const Route*> by_key(const std::vector<Route>& routes) {
    std::map<RouteKey, const Route*> out;
    for (const Route& route : routes)
        out.emplace(key_of(route), &route);
    return out;
}

bool holds(const std::map<RouteKey, const Route*>& routes, const Route& route) {
    const auto found = routes.find(key_of(route));
    return found != routes.end() && *found->second == route;
}

}  // namespace

/// A changed route is removed and added: the kernel's own replace looks at (to, table, metric)
/// alone and may take the route of another port (net/ipv4/fib_trie.c fib_table_insert).
std::vector<RouteEdit> edits(const std::vector<Route>& now, const std::vector<Route>& then) {
    std::vector<RouteEdit> edits;
    const std::map<RouteKey, const Route*> before = by_key(now);
    const std::map<RouteKey, const Route*> after = by_key(then);
    for (const Route& route : now)
        if (!holds(after, route)) edits.push_back({RouteEdit::Kind::remove, route});
    for (const Route& route : then)
        if (!holds(before, route)) edits.push_back({RouteEdit::Kind::add, route});
    // A gateway is reached by a route without one, so those come first and go last.
    std::ranges::stable_sort(edits, {}, [](const RouteEdit& edit) {
        const bool remove = edit.kind == RouteEdit::Kind::remove;
        return remove ? (edit.entry.via ? 0 : 1) : (edit.entry.via ? 3 : 2);
    });
    return edits;
}

}  // namespace core::routes

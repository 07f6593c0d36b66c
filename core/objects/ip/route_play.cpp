// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>
#include <map>
#include <set>

#include "core/objects/ip/route_record.hpp"
#include "core/objects/rows.hpp"

// What the kernel does with a change to the routes of a port.

namespace core::routes {
namespace {

using RouteEdit = Edit<Route>;

bool has_address(const Port& port, const Ip& ip) {
    return port.addresses &&
           std::ranges::find(*port.addresses, ip, &Address::ip) != port.addresses->end();
}

bool is_loopback(const Ip& ip) {
    return !ip.v6 && ip.bytes[0] == 127;
}

/// The addresses of a host, as far as its ports were asked, for a route of one of them.
class Ours {
public:
    Ours(const State& state, const Port& port) : state_(state), port_(port) {
        if (port.addresses)
            for (const Address& address : *port.addresses)
                own_.insert(address.ip);
    }

    [[nodiscard]] bool of_port(const Ip& ip) const { return own_.contains(ip); }

    /// Whether some port has the address; nothing where not all of them were asked. Of link-local
    /// ones only those of the port itself count (net/ipv4/fib_semantics.c fib_valid_prefsrc,
    /// net/ipv6/addrconf.c ipv6_chk_addr).
    std::optional<bool> of_host(const Ip& ip) {
        if (is_loopback(ip)) return true;
        const auto [known, fresh] = known_.try_emplace(ip);
        if (fresh) known->second = asked(ip);
        return known->second;
    }

private:
    [[nodiscard]] std::optional<bool> asked(const Ip& ip) const {
        const bool of_link = ip.v6 && is_link_local(ip);
        bool all_known = state_.others.has_value();
        const auto has = [&](const Port& one) {
            const bool yet_to_be = one.vlan && !one.link;
            if (one.name == kHost || yet_to_be) return false;
            if (!one.addresses) all_known = false;
            const bool own = one.name == port_.name;
            return (!of_link || own) && (own ? of_port(ip) : has_address(one, ip));
        };
        if (std::ranges::any_of(state_.ports, has)) return true;
        if (state_.others && std::ranges::any_of(*state_.others, has)) return true;
        return all_known ? std::optional(false) : std::nullopt;
    }

    const State& state_;
    const Port& port_;
    std::set<Ip> own_{};
    std::map<Ip, std::optional<bool>> known_{};
};

/// What the kernel has to say to routes that are added to a port, one after the other.
class Adding {
public:
    Adding(const State& state, const Port& port) : port_(port), ours_(state, port) {
        std::set<RouteKey> there;
        for (const Route& route : *port.routes) {
            there.insert(key_of(route));
            reached_.add(route);
        }
        for (const RouteBeyond& beyond : port.routes_beyond)
            if (!beyond.what.starts_with("tos ") && !there.contains(key_of(beyond.route)))
                taken_.insert(key_of(beyond.route));
    }

    Refused refused(const Route& route) {
        // A route that no setting describes takes the place of one all the same, unless it is for a
        // type of service of its own (net/ipv4/fib_trie.c fib_find_alias).
        if (taken_.contains(key_of(route))) return Refusal{.code = EEXIST, .text = "File exists"};
        if (port_.link && !port_.link->up)
            return Refusal{.code = ENETDOWN, .text = "Nexthop device is not up"};
        const bool six = route.to.ip.v6 || (route.via && route.via->v6);
        if (six && port_.link && port_.link->mtu < link::kIpv6Minimum)
            return Refusal{.code = ENODEV, .text = "No such device: no IPv6 below an MTU of 1280"};
        if (!route.via || on_link(*route.via)) return misplaced(route);
        if (route.to.ip.v6) return Refusal{.code = EHOSTUNREACH, .text = "No route to host"};
        return Refusal{.code = ENETUNREACH, .text = "Nexthop has invalid gateway"};
    }

    void add(const Route& route) { reached_.add(route); }
    /// Whether the last no hangs on what other ports have.
    [[nodiscard]] bool hangs_on_others() const { return by_others_; }

private:
    /// Whether a gateway can be reached without another gateway; of IPv4 the port's own address is
    /// one (net/ipv4/fib_semantics.c fib_check_nh, net/ipv6/route.c ip6_route_check_nh).
    [[nodiscard]] bool on_link(const Ip& gateway) const {
        if (gateway.v6 && is_link_local(gateway)) return true;
        if (!gateway.v6 && ours_.of_port(gateway)) return true;
        return reached_.contains(gateway);
    }

    /// What leaves must be the host's, and what it is handed to must not be (of IPv6,
    /// net/ipv6/route.c ip6_validate_gw).
    Refused misplaced(const Route& route) {
        if (route.via && route.via->v6 && ours_.of_host(*route.via).value_or(false)) {
            by_others_ = true;
            return Refusal{.code = EINVAL,
                           .text = "Gateway can not be a local address: " + core::text(*route.via)};
        }
        if (!route.source || ours_.of_host(*route.source).value_or(true)) return std::nullopt;
        const std::string why =
            route.to.ip.v6 ? "Invalid source address" : "Invalid prefsrc address";
        by_others_ = true;
        return Refusal{.code = EINVAL, .text = why + ": no port has " + core::text(*route.source)};
    }

    const Port& port_;
    Ours ours_;
    Reached reached_{};
    std::set<RouteKey> taken_{};  ///< by what no setting describes
    bool by_others_ = false;
};

/// (to, table, metric) is taken once a host: a second route of it, also of another port, is
/// refused (NLM_F_EXCL).
Refused route_taken(const State& state, const Port& now, const Port& then) {
    std::map<RouteKey, std::size_t> added;
    for (const Route& route : *then.routes)
        added.emplace(key_of(route), added.size());
    for (const Route& route : *now.routes)
        added.erase(key_of(route));
    const Route* first = nullptr;
    const Port* has_it = nullptr;
    std::size_t place = 0;
    for (const Port& other : state.ports) {
        if (other.name == now.name || !other.routes || added.empty()) continue;
        for (const Route& route : *other.routes)
            if (const auto found = added.find(key_of(route));
                found != added.end() && (first == nullptr || found->second < place)) {
                first = &route;
                has_it = &other;
                place = found->second;
            }
    }
    if (first == nullptr) return std::nullopt;
    return Refusal{.code = EEXIST,
                   .text = "File exists: " + has_it->name + " has the route " + identity(*first)};
}

}  // namespace

Played play(const Driver& /*driver*/, State& state, Port& now, const Port& then) {
    const std::vector<RouteEdit> messages = edits(*now.routes, *then.routes);
    if (const Refused no = route_taken(state, now, then)) return *no;
    std::set<RouteKey> removed;
    std::set<RouteKey> added;
    for (const RouteEdit& edit : messages)
        (edit.kind == RouteEdit::Kind::remove ? removed : added).insert(key_of(edit.entry));
    lose(now, [&](const Route& route) { return removed.contains(key_of(route)); });
    Adding adding(state, now);
    for (const RouteEdit& edit : messages) {
        if (edit.kind == RouteEdit::Kind::remove) continue;
        if (Refused no = adding.refused(edit.entry))
            return adding.hangs_on_others() ? Played(*no) : Played::no_by_port(*no);
        adding.add(edit.entry);
    }
    lose(now, [&](const Route& route) { return added.contains(key_of(route)); });
    for (const RouteEdit& edit : messages)
        if (edit.kind != RouteEdit::Kind::remove) now.routes->push_back(edit.entry);
    return std::nullopt;
}

}  // namespace core::routes

// SPDX-License-Identifier: Apache-2.0
#include "core/objects/ip/parts.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <functional>
#include <map>
#include <set>

#include "core/model/access.hpp"
#include "core/model/edit.hpp"
#include "core/model/shell.hpp"
#include "core/model/words.hpp"
#include "core/objects/ip/long_lists.hpp"
#include "core/objects/ip/records.hpp"
#include "core/objects/ip/route_words.hpp"
#include "core/objects/rows.hpp"

namespace core::routes {

namespace {

/// A nexthop object is listed among what routes have beside.
bool is_route(const RouteBeyond& beyond) {
    return !beyond.what.starts_with("nexthop ");
}

}  // namespace

bool is_of_daemon(const Route& route) {
    // gated, mrt, zebra, bird, xorp, babel, openr; bgp, isis, ospf, rip and what FRR has beside
    constexpr std::array<std::uint8_t, 7> single = {8, 10, 11, 12, 14, 42, 99};
    constexpr std::uint8_t first = 186;
    constexpr std::uint8_t last = 198;
    return (route.protocol >= first && route.protocol <= last) ||
           std::ranges::find(single, route.protocol) != single.end();
}

void each_open(const Port& port, const std::function<void(const Route&)>& take) {
    if (!port.routes) return;
    std::ranges::for_each(*port.routes, take);
    for (const RouteBeyond& beyond : port.routes_beyond) {
        if (!is_route(beyond)) continue;
        const std::vector<std::string> words = words_in(beyond.what, ", ");
        const bool of_some = std::ranges::any_of(
            words, [](const std::string& word) { return word == "from" || word == "tos"; });
        if (!of_some) take(beyond.route);
    }
}

void lose(Port& port, const std::function<bool(const Route&)>& gone) {
    if (!port.routes) return;
    std::erase_if(*port.routes, gone);
    std::erase_if(port.routes_beyond, [&](const RouteBeyond& beyond) {
        return is_route(beyond) && gone(beyond.route);
    });
}

void lose_nexthops(Port& port) {
    std::erase_if(port.routes_beyond, std::not_fn(is_route));
}

namespace {

/// The kernel makes no route for an address with IFA_F_NOPREFIXROUTE (net/ipv4/fib_frontend.c
/// fib_add_ifaddr, net/ipv6/addrconf.c inet6_addr_add), so that it reaches no gateway.
bool makes_route(const Port& port, const Address& address) {
    return std::ranges::none_of(port.addresses_beyond, [&](const AddressBeyond& beyond) {
        return beyond.ip == address.ip && beyond.what.find("noprefixroute") != std::string::npos;
    });
}

}  // namespace

void connect(Port& port) {
    if (!port.addresses || !port.routes || !port.link || !port.link->up) return;
    std::set<RouteKey> there;
    for (const Route& route : *port.routes)
        there.insert(key_of(route));
    for (const Address& address : *port.addresses) {
        if (!address.ip.v6 && address.prefix_length >= 32) continue;
        if (!makes_route(port, address)) continue;
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

namespace {

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
            if (is_route(beyond) && !beyond.what.starts_with("tos ") &&
                !there.contains(key_of(beyond.route)))
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

ElementNames by_daemon(const Port& port) {
    ElementNames out;
    if (!port.routes) return out;
    for (const Route& route : *port.routes)
        if (is_of_daemon(route)) out.insert(identity(route));
    for (const RouteBeyond& beyond : port.routes_beyond)
        if (is_of_daemon(beyond.route)) out.insert(identity(beyond.route) + ' ' + beyond.what);
    return out;
}

ElementNames by_kernel(const Port& port) {
    ElementNames out = by_daemon(port);
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

/// The kernel keeps an IPv4 route whose gateway nothing reaches any more, as the address that did
/// was removed, but takes none such (net/ipv4/fib_semantics.c fib_check_nh; of IPv6
/// net/ipv6/route.c ip6_route_check_nh).
std::vector<std::string> lost_for_good(const Port& was, const Port& before, const Port& after) {
    std::vector<std::string> out;
    if (!was.routes || !before.routes || !after.routes) return out;
    const std::map<RouteKey, const Route*> left = by_key(*after.routes);
    const std::map<RouteKey, const Route*> there = by_key(*before.routes);
    Reached reached;
    for (const Route& route : *was.routes)
        reached.add(route);
    // Who describes a state leaves out what follows from its addresses.
    for (const Address& address : was.addresses.value_or(std::vector<Address>{}))
        if (makes_route(was, address)) reached.add({.to = addresses::network_of(address)});
    const auto is_reached = [&](const Ip& gateway) {
        return (gateway.v6 ? is_link_local(gateway) : has_address(was, gateway)) ||
               reached.contains(gateway);
    };
    for (const Route& route : *was.routes) {
        if (!route.via || left.contains(key_of(route)) || !holds(there, route)) continue;
        if (is_of_daemon(route)) continue;
        if (is_reached(*route.via)) continue;
        out.push_back(identity(route) +
                      " goes, and the kernel does not take it again: nothing reaches its gateway " +
                      core::text(*route.via));
    }
    return out;
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

constinit const ObjectRow row = {
    .object = Object::routes,
    .name = "routes",
    .doc = "Routes out of the port.",
    .topic = Topic::ip,
    .child_states = true,
    .at_one_port = true,
    .sees_others = true,
    .fields = kFields,
    .play = play,
    .lifecycle = {.goes_with = goes_with, .rests_on = rests_on, .lost_for_good = lost_for_good},
    .order = {.consults = kConsults},
    .chosen_by = {.kernel = by_kernel, .daemon = by_daemon, .others = Others::network_daemon},
    .words = {.spell = spell},
    .boot = {.programs = kAtBoot}};

}  // namespace core::routes

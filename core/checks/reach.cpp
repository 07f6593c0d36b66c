// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "core/checks/checks.hpp"
#include "core/checks/lookup.hpp"
#include "core/model/access.hpp"
#include "core/model/shell.hpp"
#include "core/objects/ip/route_words.hpp"

// Whether what a port sends leaves by it, and what others send to it arrives there.

namespace core {
namespace {

/// The first rule that leads what is sent from there to the table; null where none does.
const Rule* rule_to(const State& state, const Ip& from, std::uint32_t table) {
    const Port* host = find_port(state, kHost);
    if (host == nullptr || !host->rules) return nullptr;
    const Rule* out = nullptr;
    for (const Rule& rule : *host->rules) {
        const bool leads =
            rule.table == table && rule.v6 == from.v6 && rule.from && contains(*rule.from, from);
        if (leads && (out == nullptr || rule.priority < out->priority)) out = &rule;
    }
    return out;
}

/// The table in which the port has a route to the destination, besides main; nothing: none.
std::optional<std::uint32_t> source_routing(const Port& port, const Ip& to) {
    std::optional<std::uint32_t> out;
    routes::each_open(port, [&](const Route& route) {
        if (!out && route.table != kMainTable && contains(route.to, to)) out = route.table;
    });
    return out;
}

/// The rule that is missing for source routing: from the address to the table, other than main, in
/// which the port has a route to the destination. Nothing where such a rule is there, or no such
/// table.
std::optional<Desired> missing_rule(const State& state, const Port& port, const Ip& from,
                                    const Ip& to) {
    const auto table = source_routing(port, to);
    if (!table || rule_to(state, from, *table) != nullptr) return std::nullopt;
    const Field& rules = *find_field("rules");
    const Record rule{{"from", text(from)}, {"table", table_word(*table)}};
    return Desired{.port = std::string(kHost), .field = &rules, .value = Value(rule)};
}

/// `no rule sends packets from 10.0.0.1 to table 101`, for a rule of missing_rule.
std::string lacking(const Ip& from, const Value& rule) {
    return "no rule sends packets from " + text(from) + " to table " +
           text_part(std::get<Record>(rule), "table");
}

/// Why the lookup did not use the port's own table: no rule leads to it, or another rule comes
/// first. Empty where neither is the reason.
std::string why_not_asked(const State& state, const Port& port, const Ip& from, const Ip& to,
                          const std::optional<Lookup>& found) {
    if (found && found->before)
        return "rule " + text(*found->before) + " comes first" +
               (ends_lookup(*found->before) ? " and ends the lookup" : "");
    if (const auto rule = missing_rule(state, port, from, to))
        return lacking(from, *rule->value) + ", which has one";
    const auto table = source_routing(port, to);
    const Rule* own = table ? rule_to(state, from, *table) : nullptr;
    if (own == nullptr || !found || found->rule.priority >= own->priority) return {};
    return "rule " + std::to_string(found->rule.priority) + " to table " +
           table_word(found->rule.table) + " comes before rule " + std::to_string(own->priority) +
           " to table " + table_word(*table);
}

constexpr std::array<Keys, 1> kOwnAddresses = {"addresses"};
constexpr std::array<Keys, 2> kRoutesBy = {"addresses", "routes"};
constexpr std::array<Keys, 1> kRouteList = {"routes"};
constexpr std::array<Keys, 1> kRuleList = {"rules"};
constexpr std::array<Ids, 3> kHasAddress = {"port-down", "no-carrier", "no-address"};

/// An address elsewhere on the host, as on the loopback port, does not do: GIDs are made of the
/// addresses of the port and of what stands on it (drivers/infiniband/core/roce_gid_mgmt.c
/// addr_event, Linux 7.3).
Faults no_address(const Evidence& evidence) {
    // A member has the bond's addresses: that it is none is reported as drift.
    if (evidence.index->is_desired_member(evidence.now->name)) return {};
    for (const Port* port : evidence.index->carried_by(*evidence.now))
        if (!reachable_addresses(*port).empty()) return {};
    Faults out =
        fault("neither the port nor a VLAN or bond on it has an address but link-local ones");
    const std::string& name = evidence.now->name;
    for (const Port* other : evidence.index->on_one_cable(*evidence.now))
        if (!reachable_addresses(*other).empty()) {
            out.front().text += "; " + other->name +
                                ", which shares its cable, has one, and "
                                "carries no more than its own link of PCI Express does";
            out.front().slight = true;
        }
    out.front().remedy = "ip address add ADDRESS/LENGTH dev " + shell(name) +
                         ", with the address that is planned for it";
    for (const Desired& desired : evidence.desired_values)
        if (desired.field->key == "addresses" && desired.port == name && desired.value)
            out.front().fix.push_back(desired);
    return out;
}

Faults address_twice(const Evidence& evidence) {
    for (const Address& address : reachable_addresses(*evidence.now))
        for (const Port* other : evidence.index->holders_of(address.ip))
            if (other->name != evidence.now->name)
                return fault("address " + text(address.ip) + " is on " + other->name + " too");
    return {};
}

/// What is sent from one address to one destination.
struct Way {
    const Port* by = nullptr;
    Ip from{};
    Prefix to{};
    Ip remote{};  ///< an address there, behind the gateway
};

/// An address of the destination that is not in the port's own network.
std::optional<Ip> remote_of(const Destination& destination, const Address& own) {
    if (destination.remote || destination.to.length == 0) return destination.remote;
    const Prefix near = network({.ip = own.ip, .length = own.prefix_length});
    if (!contains(near, destination.to.ip)) return destination.to.ip;
    const auto behind = first_behind(near);
    return behind && contains(destination.to, *behind) ? behind : std::nullopt;
}

/// The ways to all of them, from each address that sends by the port's RDMA device.
std::vector<Way> ways(const Evidence& evidence) {
    const auto& all = evidence.index->fabrics().destinations_of(*evidence.now);
    std::vector<Way> out;
    for (const Port* sender : senders_of(evidence))
        for (const Destination& each : all)
            for (const Address& own : reachable_addresses(*sender)) {
                if (own.ip.v6 != each.to.ip.v6) continue;
                if (const auto remote = remote_of(each, own))
                    out.push_back({.by = sender, .from = own.ip, .to = each.to, .remote = *remote});
            }
    return out;
}

/// `from 10.1.0.1 to 10.0.0.0/8`, or to everywhere else.
std::string from_to(const Way& way) {
    return "from " + text(way.from) + " to " + (way.to.length == 0 ? "default" : text(way.to));
}

Fault unrouted(const Evidence& evidence, const Way& way, const std::optional<Lookup>& found,
               std::string text, std::string_view result = {}) {
    Fault out{.text = std::move(text)};
    const std::string why = why_not_asked(*evidence.state, *way.by, way.from, way.remote, found);
    if (!why.empty()) out.text += ": " + why;
    out.text += result;
    const bool by_other_rule = found && found->before;
    // Where it leads nobody can say here.
    out.slight = by_other_rule && !ends_lookup(*found->before);
    if (const auto rule = missing_rule(*evidence.state, *way.by, way.from, way.remote);
        rule && !by_other_rule) {
        out.fix.push_back(*rule);
        out.in_chain = lacking(way.from, *rule->value);
    } else if (!why.empty()) {
        out.remedy =
            "the rule that comes first taken away, or given selectors that leave this port "
            "out: ip rule";
        out.in_chain = why;
    }
    out.names = {{"ADDRESS", core::text(way.remote)},
                 {"OWN", core::text(way.from)},
                 {"PORT", shell(way.by->name)}};
    return out;
}

/// RDMA asks for a route out of the port that the GID is on. Where there is none IPv4 takes the
/// destination for on link and asks for it by ARP, which nobody answers: ibv_modify_qp fails with
/// ETIMEDOUT (drivers/infiniband/core/addr.c addr4_resolve, net/ipv4/route.c
/// ip_route_output_key_hash_rcu). To IPv6 a port is no more than a preference where the source is
/// known (addr6_resolve, net/ipv6/route.c ip6_route_output_flags_noref): it takes another route.
std::string what_follows(const State& state, const Way& way) {
    if (!way.to.ip.v6) return "; RDMA takes the destination for on link then, and nobody answers";
    const auto other = route_lookup(state, {.to = way.remote, .from = way.from});
    if (!other || other->port.empty()) return "; RDMA fails with ENETUNREACH";
    return "; RDMA takes the gateway of " + other->port + " for its own, and what it sends is lost";
}

/// ` leaves by this port`, or by which one of those that send by its device.
std::string leaves_by(const Evidence& evidence, const Way& way) {
    return " leaves by " + (way.by == evidence.now ? "this port" : way.by->name);
}

Faults no_route_by_port(const Evidence& evidence) {
    for (const Way& way : ways(evidence)) {
        const auto found = route_lookup(*evidence.state,
                                        {.to = way.remote, .from = way.from, .port = way.by->name});
        const std::string named = from_to(way) + leaves_by(evidence, way);
        if (!found || found->port.empty())
            return {unrouted(evidence, way, found, "no route " + named,
                             what_follows(*evidence.state, way))};
        if (found->before)
            return {unrouted(evidence, way, found, "which route " + named + " is not known")};
    }
    return {};
}

/// An address of the network that no port of the host has, next to the own one where it can be;
/// nothing where the network has no other.
std::optional<Ip> neighbour_in(const HostIndex& index, const Prefix& near) {
    constexpr std::uint8_t whole = 32;
    constexpr unsigned most = 64;
    std::optional<Ip> out = near.ip;
    for (unsigned i = 0; i < most && out && contains(near, *out); ++i) {
        if (index.holders_of(*out).empty()) return out;
        out = first_behind({.ip = *out, .length = whole});
    }
    return std::nullopt;
}

/// The ways to each IPv4 network of what sends by the port's RDMA device, from the first address in
/// it. Of IPv6 the kernel prefers, of routes that are alike, the one out of the source's port.
std::vector<Way> near_ways(const Evidence& evidence) {
    std::vector<Way> out;
    for (const Port* sender : senders_of(evidence)) {
        std::set<Prefix> known;
        for (const Address& own : reachable_addresses(*sender)) {
            const Prefix near{.ip = own.ip, .length = own.prefix_length};
            if (own.ip.v6 || !known.insert(network(near)).second) continue;
            if (const auto remote = neighbour_in(*evidence.index, near))
                out.push_back(
                    {.by = sender, .from = own.ip, .to = network(near), .remote = *remote});
        }
    }
    return out;
}

Faults route_by_other(const Evidence& evidence) {
    for (const Way& way : ways(evidence)) {
        const auto found = route_lookup(
            *evidence.state, {.to = way.remote, .from = way.from, .sender = way.by->name});
        if (found && !found->port.empty() && found->port != way.by->name)
            return {unrouted(evidence, way, found,
                             "what is sent " + from_to(way) + " leaves by " + found->port)};
    }
    for (const Way& way : near_ways(evidence)) {
        const auto found = route_lookup(*evidence.state, {.to = way.remote, .from = way.from});
        if (!found || found->before || found->port.empty() || found->port == way.by->name) continue;
        Fault out = unrouted(evidence, way, found,
                             "what is sent " + from_to(way) + ", its own network, leaves by " +
                                 found->port + ", which is in it too");
        out.text += "; RDMA that is asked for by the GID leaves by the GID's port all the same";
        if (out.in_chain.empty()) out.in_chain = text(way.to) + " by " + found->port;
        if (out.fix.empty())
            out.remedy =
                "a table for the port with a route to its network, and a rule from its "
                "address to the table; or a network of its own for each port";
        out.slight = true;
        return {out};
    }
    return {};
}

Faults small_route(const Evidence& evidence) {
    const Port& port = *evidence.now;
    if (!port.link) return {};
    for (const Route& route : *port.routes)
        if (route.mtu != 0 && route.mtu < port.link->mtu)
            return fault("the route to " + text(route.to) + " has MTU " +
                         std::to_string(route.mtu) + ", the port has " +
                         std::to_string(port.link->mtu));
    return {};
}

/// What is looked up before the host's own addresses finds routes for them too.
Faults no_local_first(const Evidence& evidence) {
    const std::vector<Rule>& rules = *evidence.now->rules;
    std::optional<std::uint32_t> local;
    std::optional<std::uint32_t> main;
    for (const Rule& rule : rules) {
        const bool of_all = !rule.v6 && !rule.from && !rule.to && rule.iif.empty() &&
                            rule.oif.empty() && rule.fwmask == 0 && rule.tos == 0;
        if (rule.v6 || (rule.table != kLocalTable && !(of_all && rule.table == kMainTable)))
            continue;
        std::optional<std::uint32_t>& place = rule.table == kLocalTable ? local : main;
        place = std::min(place.value_or(rule.priority), rule.priority);
    }
    if (rules.empty() || (local && (!main || *local < *main))) return {};
    if (!local)
        return fault(
            "no rule leads to the table local: packets for the host's own addresses are sent "
            "away");
    return fault("rule " + std::to_string(*main) + " to table main comes before rule " +
                 std::to_string(*local) +
                 " to table local: packets for the host's own addresses are sent away");
}

/// What tells by which port a packet leaves.
constexpr Needs kWaysOut = {.keys = kRoutesBy,
                            .of_others = true,
                            .of_senders = true,
                            .beside = kRuleList,
                            .sound = kHasAddress};
constexpr std::array<Ids, 2> kOfNoAddress = {"no-route-by-port", "neighbour-failed"};
constexpr std::array<Ids, 3> kOfNoRoute = {"asked-on-link", "route-by-other-port",
                                           "neighbour-failed"};

constexpr std::array<Ids, 5> kOfTwice = {"arp-flux", "arp-announce", "rp-filter-strict",
                                         "no-route-by-port", "route-by-other-port"};

constexpr std::array kRowsReach = {
    FindingRow{.id = "rule-local",
               .why = "Packets to the host's own addresses are looked up in the table local first; "
                      "without it nothing arrives.",
               .remedy = "ip rule add priority 0 table local",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kRuleList},
               .examines = CheckTarget::host,
               .cause = {.weight = Weight::stop},
               .run = no_local_first},
    FindingRow{.id = "no-address",
               .why = "RoCE v2 is UDP: without an address there is no GID that others can reach.",
               .remedy = "addresses",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kOwnAddresses},
               .examines = CheckTarget::port,
               .cause = {.explains = kOfNoAddress,
                         .ruled_out_by = "the port is not meant to carry RoCE",
                         .weight = Weight::stop},
               .run = no_address},
    FindingRow{.id = "address-on-two-ports",
               .why = "Each of the two answers for the address, and who asked last is served.",
               .remedy = "each address on one port",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kOwnAddresses, .of_others = true},
               .examines = CheckTarget::port,
               .cause = {.explains = kOfTwice,
                         .ruled_out_by = "the address is an anycast one that nothing binds to",
                         .weight = Weight::stop},
               .run = address_twice},
    FindingRow{.id = "no-route-by-port",
               .why = "RDMA sends by the port of the GID. Without a route by that port the kernel "
                      "asks for an IPv4 address on the link, and ibv_modify_qp fails with 110 "
                      "(ETIMEDOUT), from one rail to another while each rail by itself works. IPv6 "
                      "takes another port's route, or fails with 101 (ENETUNREACH).",
               .remedy = "routes and rules of the port: a table for each rail",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = kWaysOut,
               .examines = CheckTarget::port,
               .cause = {.explains = kOfNoRoute,
                         .ruled_out_by = "the rails are not meant to reach each other's peers",
                         .test = "ip route get fibmatch ADDRESS from OWN oif PORT",
                         .weight = Weight::stop},
               .run = no_route_by_port},
    FindingRow{.id = "route-by-other-port",
               .why = "What binds to an address of this port leaves by another: rdma_cm takes the "
                      "wrong device, and answers come back where they are not awaited.",
               .remedy = "rules of the port: from its address, its own table",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = kWaysOut,
               .examines = CheckTarget::port,
               .cause = {.ruled_out_by = "ip route get ADDRESS from OWN names this port",
                         .weight = Weight::stop},
               .run = route_by_other},
    FindingRow{.id = "route-mtu",
               .level = FindingLevel::note,
               .why = "TCP keeps below the MTU of the route, RoCE does not know of it.",
               .remedy = "routes without mtu",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kRouteList},
               .examines = CheckTarget::port,
               .run = small_route},
};

constexpr auto kAllReach = each_of(kRowsReach);

}  // namespace

const FindingGroup finding_group::reach{
    .name = "reach",
    .doc = "Whether packets leave by the port they should, and come back to it.",
    .rows = kAllReach};

}  // namespace core

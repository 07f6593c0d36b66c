// SPDX-License-Identifier: Apache-2.0
#include "core/checks/fabrics.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "core/checks/checks.hpp"
#include "core/objects/ip/parts.hpp"
#include "core/objects/link/parts.hpp"

namespace core {
namespace {

using Networks = std::set<Prefix>;
using Senders = HostFabrics::Senders;

/// A default route says where RoCE goes in a table of the port's own alone, and there as far as the
/// rules that lead to it do: that of main is mostly the host's way to everything else.
void add_default(const Port* host, const Route& route, Networks& out) {
    if (route.table == kMainTable) return;
    bool of_rules = false;
    if (host != nullptr && host->rules)
        for (const Rule& rule : *host->rules)
            if (rule.table == route.table && rule.v6 == route.to.ip.v6 && rule.to) {
                out.insert(network(*rule.to));
                of_rules = true;
            }
    if (!of_rules) out.insert(network(route.to));
}

Networks destinations_by(const Port* host, const Senders& senders) {
    Networks out;
    for (const Port* sender : senders)
        routes::each_open(*sender, [&](const Route& route) {
            if (!route.via) return;
            if (route.to.length == 0)
                add_default(host, route, out);
            else
                out.insert(network(route.to));
        });
    return out;
}

Networks on_links(const State& state) {
    Networks out;
    for (const Port& port : state.ports)
        if (port.addresses)
            for (const Address& address : *port.addresses)
                out.insert(network({.ip = address.ip, .length = address.prefix_length}));
    return out;
}

/// Of all addresses one that no host has: kept for documentation (RFC 5737, 3; RFC 3849).
Ip anywhere(bool v6) {
    return *parse_ip(v6 ? "2001:db8::1" : "192.0.2.1");
}

Destination destination(const Prefix& to, const Networks& on_link) {
    std::optional<Ip> remote = to.length == 0 ? anywhere(to.ip.v6) : to.ip;
    // In the order of where they begin: behind one, only later ones can hold it.
    for (const Prefix& near : on_link)
        if (remote && contains(near, *remote)) remote = first_behind(near);
    if (remote && !contains(to, *remote)) remote.reset();
    return {.to = to, .remote = remote};
}

/// Whether the networks are as long, and differ in one place alone: an octet of IPv4, or 16 bits of
/// IPv6.
bool of_one_plan(const Prefix& left, const Prefix& right) {
    if (left.ip.v6 != right.ip.v6 || left.length != right.length) return false;
    const std::size_t wide = left.ip.v6 ? 2 : 1;
    const std::size_t bytes = left.ip.v6 ? 16 : 4;
    std::size_t places = 0;
    for (std::size_t at = 0; at < bytes; at += wide)
        if (left.ip.bytes.at(at) != right.ip.bytes.at(at) ||
            left.ip.bytes.at(at + wide - 1) != right.ip.bytes.at(at + wide - 1))
            ++places;
    return places <= 1;
}

/// What tells the fabric of a port.
struct Trace {
    const Port* port = nullptr;
    std::string bond{};  ///< that it is a member of
    Networks to{};       ///< through gateways
    Networks near{};     ///< of its own addresses
    std::vector<Ip> own{};
    std::size_t named = 0;  ///< 1 and on: position among those that the profile names; 0: none

    [[nodiscard]] bool is_silent() const { return to.empty() && near.empty(); }
};

bool same_driver(const Port& left, const Port& right) {
    return left.device && right.device && left.device->driver == right.device->driver;
}

/// Where no speed is known, nothing speaks against it.
bool fits(const Port& left, const Port& right) {
    const auto one = speed::known(left);
    const auto other = speed::known(right);
    if (!same_driver(left, right)) return false;
    return !one || !other || can_have_speed(left, *other) || can_have_speed(right, *one);
}

/// Puts together what is of one fabric: for each port the first one, in their order.
class Union {
public:
    explicit Union(std::size_t count) : first_(count) {
        std::iota(first_.begin(), first_.end(), std::size_t{0});
    }

    [[nodiscard]] std::size_t first_of(std::size_t port) const {
        while (first_[port] != port)
            port = first_[port];
        return port;
    }
    void unite(std::size_t port, std::size_t other) {
        const std::size_t one = first_of(port);
        const std::size_t two = first_of(other);
        first_[std::max(one, two)] = std::min(one, two);
    }
    [[nodiscard]] std::size_t size_of(std::size_t port) const {
        std::size_t out = 0;
        for (std::size_t other = 0; other < first_.size(); ++other)
            if (first_of(other) == first_of(port)) ++out;
        return out;
    }

private:
    std::vector<std::size_t> first_;
};

bool share_any(const Networks& left, const Networks& right) {
    return std::ranges::any_of(
        left, [&](const Prefix& one) { return one.length != 0 && right.contains(one); });
}

bool as_long(const Networks& left, const Networks& right) {
    return std::ranges::any_of(left, [&](const Prefix& one) {
        return std::ranges::any_of(right, [&](const Prefix& other) {
            return one.length == other.length && one.ip.v6 == other.ip.v6;
        });
    });
}

/// Whether the one sends to where the other has an address. Of another kind of port that says
/// nothing, unless their own networks are as long: a summary route of the rails may hold the
/// storage network too.
bool sends_to(const Trace& one, const Trace& other) {
    const bool holds = std::ranges::any_of(one.to, [&](const Prefix& to) {
        return to.length != 0 &&
               std::ranges::any_of(other.own, [&](const Ip& own) { return contains(to, own); });
    });
    return holds &&
           (!other.to.empty() || fits(*one.port, *other.port) || as_long(one.near, other.near));
}

bool of_one_numbering(const Trace& one, const Trace& other) {
    return fits(*one.port, *other.port) && std::ranges::any_of(one.near, [&](const Prefix& left) {
               return std::ranges::any_of(
                   other.near, [&](const Prefix& right) { return of_one_plan(left, right); });
           });
}

bool of_one_bond(const Trace& one, const Trace& other) {
    return !one.bond.empty() && (one.bond == other.bond || one.bond == other.port->name);
}

bool is_of_one_fabric(const Trace& one, const Trace& other) {
    if (one.named != 0 || other.named != 0)
        return one.named == other.named || ((one.named == 0 || other.named == 0) &&
                                            (of_one_bond(one, other) || of_one_bond(other, one)));
    return of_one_bond(one, other) || of_one_bond(other, one) || share_any(one.to, other.to) ||
           share_any(one.near, other.near) || sends_to(one, other) || sends_to(other, one) ||
           of_one_numbering(one, other);
}

/// Takes each port that says nothing to the most ports of its driver: of those that could have its
/// speed, else of any, where it alone has it.
void place_silent(const std::vector<Trace>& traces, Union& fabrics) {
    const auto join = [&](std::size_t port, const auto& may_join) {
        std::optional<std::size_t> best;
        std::size_t most = 0;
        for (std::size_t other = 0; other < traces.size(); ++other) {
            const bool before = !traces[other].is_silent() || other < port;
            if (other == port || !before || traces[other].named != 0 ||
                !may_join(*traces[port].port, *traces[other].port))
                continue;
            const std::size_t size = fabrics.size_of(other);
            if (size > most) best = other;
            most = std::max(most, size);
        }
        if (best) fabrics.unite(port, *best);
    };
    for (const bool any_speed : {false, true})
        for (std::size_t port = 0; port < traces.size(); ++port)
            if (traces[port].is_silent() && traces[port].named == 0 && fabrics.size_of(port) == 1)
                join(port, any_speed ? same_driver : fits);
}

std::vector<Trace> traces_of(const State& state, std::span<const Port* const> ports,
                             const std::vector<Senders>& senders,
                             const DesiredState* desired_values) {
    const Port* host = find_port(state, kHost);
    std::vector<Trace> out;
    for (std::size_t i = 0; i < ports.size(); ++i) {
        Trace& trace = out.emplace_back(Trace{.port = ports[i],
                                              .bond = link::bond_of(*ports[i]),
                                              .to = destinations_by(host, senders[i])});
        for (const Port* sender : senders[i])
            for (const Address& own : reachable_addresses(*sender)) {
                trace.near.insert(network({.ip = own.ip, .length = own.prefix_length}));
                trace.own.push_back(own.ip);
            }
        if (desired_values == nullptr) continue;
        const auto& named = desired_values->fabrics;
        for (std::size_t fabric = 0; fabric < named.size(); ++fabric)
            if (std::ranges::find(named[fabric].ports, ports[i]->name) != named[fabric].ports.end())
                trace.named = fabric + 1;
    }
    return out;
}

}  // namespace

HostFabrics::HostFabrics(const State& state, std::span<const Port* const> ports,
                         const std::vector<Senders>& senders, const DesiredState* desired_values) {
    const std::vector<Trace> traces = traces_of(state, ports, senders, desired_values);
    Union fabrics(traces.size());
    for (std::size_t i = 0; i < traces.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (fabrics.first_of(j) != fabrics.first_of(i) &&
                is_of_one_fabric(traces[j], traces[i]))
                fabrics.unite(j, i);
    place_silent(traces, fabrics);
    std::map<std::size_t, std::size_t> places;
    std::vector<Networks> destinations;
    std::vector<bool> is_stated;
    for (std::size_t i = 0; i < traces.size(); ++i) {
        const auto [place, fresh] = places.try_emplace(fabrics.first_of(i), all_.size());
        if (fresh) {
            all_.emplace_back();
            destinations.emplace_back();
            is_stated.push_back(false);
        }
        HostFabric& fabric = all_[place->second];
        Networks& to = destinations[place->second];
        fabric.ports.push_back(traces[i].port);
        places_.emplace(traces[i].port,
                        Place{.fabric = place->second, .silent = traces[i].to.empty()});
        to.insert(traces[i].to.begin(), traces[i].to.end());
        if (traces[i].named == 0 || !fabric.name.empty()) continue;
        const NamedFabric& named = desired_values->fabrics[traces[i].named - 1];
        fabric.name = named.name;
        is_stated[place->second] = !named.to.empty();
    }
    const Networks on_link = on_links(state);
    for (std::size_t i = 0; i < all_.size(); ++i) {
        if (is_stated[i]) {
            const auto named =
                std::ranges::find(desired_values->fabrics, all_[i].name, &NamedFabric::name);
            destinations[i] = Networks(named->to.begin(), named->to.end());
        }
        for (const Prefix& to : destinations[i]) {
            all_[i].destinations.push_back(destination(to, on_link));
            if (to.length != 0 || is_stated[i])
                all_[i].of_silent.push_back(all_[i].destinations.back());
        }
    }
}

const HostFabric& HostFabrics::of(const Port& port) const {
    return all_[places_.at(&port).fabric];
}

const std::vector<Destination>& HostFabrics::destinations_of(const Port& port) const {
    const Place& place = places_.at(&port);
    const HostFabric& fabric = all_[place.fabric];
    return place.silent ? fabric.of_silent : fabric.destinations;
}

bool can_have_speed(const Port& port, std::uint32_t speed) {
    if (port.speed == speed) return true;
    if (!port.link_modes) return false;
    const std::string begin = std::to_string(speed) + "base";
    return std::ranges::any_of(port.link_modes->offered,
                               [&](const auto& mode) { return mode.first.starts_with(begin); });
}

}  // namespace core

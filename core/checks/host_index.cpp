// SPDX-License-Identifier: Apache-2.0
#include "core/checks/host_index.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include "core/checks/checks.hpp"
#include "core/objects/ip/parts.hpp"
#include "core/objects/link/parts.hpp"
#include "core/objects/rdma/parts.hpp"

namespace core {
namespace {

using Networks = std::set<Prefix>;

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

Networks destinations_by(const Port* host, const Destinations::Senders& senders) {
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

bool has_address_in(const Destinations::Senders& senders, const Prefix& to) {
    return std::ranges::any_of(senders, [&](const Port* sender) {
        return sender->addresses &&
               std::ranges::any_of(*sender->addresses,
                                   [&](const Address& own) { return contains(to, own.ip); });
    });
}

/// For each port the first one, in their order, that it is of one fabric with: both have a
/// destination, or the one has an address where the other sends to.
std::vector<std::size_t> firsts_of(const std::vector<Networks>& of_ports,
                                   const std::vector<Destinations::Senders>& senders) {
    std::vector<std::size_t> first(of_ports.size());
    std::iota(first.begin(), first.end(), std::size_t{0});
    const auto root = [&first](std::size_t port) {
        while (first[port] != port)
            port = first[port] = first[first[port]];
        return port;
    };
    const auto unite = [&](std::size_t port, std::size_t other) {
        const std::size_t one = root(port);
        const std::size_t two = root(other);
        first[std::max(one, two)] = std::min(one, two);
    };
    std::map<Prefix, std::size_t> known;
    for (std::size_t port = 0; port < of_ports.size(); ++port)
        for (const Prefix& to : of_ports[port])
            // To everywhere lead the tables of different fabrics.
            if (to.length != 0) unite(port, known.try_emplace(to, port).first->second);
    for (const auto& [to, other] : known)
        for (std::size_t port = 0; port < of_ports.size(); ++port)
            if (!of_ports[port].empty() && has_address_in(senders[port], to)) unite(port, other);
    for (std::size_t port = 0; port < first.size(); ++port)
        first[port] = root(port);
    return first;
}

using Addresses = std::vector<Address>;

const HostIndex::Ports kNoPorts{};

template <typename Key, typename Map>
const HostIndex::Ports& those_at(const Map& map, const Key& key) {
    const auto found = map.find(key);
    return found == map.end() ? kNoPorts : found->second;
}

bool share_network(const Addresses& own, const Address& other) {
    return std::ranges::any_of(
        own, [&](const Address& one) { return addresses::share_network(one, other); });
}

/// In the order of the host, which is that of where its ports lie, and each once.
void order(HostIndex::Ports& ports) {
    std::ranges::sort(ports, std::less<>());
    // std::ranges::unique is beyond clang 14 with the library of GCC 12.
    ports.erase(std::unique(ports.begin(), ports.end()), ports.end());
}

}  // namespace

Destinations::Destinations(const State& state, std::span<const Port* const> fabric,
                           const std::vector<Senders>& senders) {
    const Port* host = find_port(state, kHost);
    std::vector<Networks> of_ports;
    for (const Senders& each : senders)
        of_ports.push_back(destinations_by(host, each));
    const std::vector<std::size_t> firsts = firsts_of(of_ports, senders);
    std::map<std::size_t, Networks> of_firsts;
    Networks all;
    for (std::size_t port = 0; port < fabric.size(); ++port) {
        if (of_ports[port].empty()) continue;
        of_firsts[firsts[port]].insert(of_ports[port].begin(), of_ports[port].end());
        for (const Prefix& to : of_ports[port])
            if (to.length != 0) all.insert(to);
    }
    const Networks on_link = on_links(state);
    const auto add = [&on_link](const Networks& networks, std::vector<Destination>& out) {
        for (const Prefix& to : networks)
            out.push_back(destination(to, on_link));
    };
    add(all, all_);
    std::map<std::size_t, std::size_t> places;
    for (const auto& [first, networks] : of_firsts) {
        places.emplace(first, of_fabric_.size());
        add(networks, of_fabric_.emplace_back());
    }
    for (std::size_t port = 0; port < fabric.size(); ++port)
        if (!of_ports[port].empty()) fabrics_.emplace(fabric[port], places.at(firsts[port]));
}

const std::vector<Destination>& Destinations::of(const Port& port) const {
    const auto found = fabrics_.find(&port);
    return found == fabrics_.end() ? all_ : of_fabric_[found->second];
}

HostIndex::HostIndex(const State& state, std::span<const Port* const> fabric_ports,
                     const DesiredState* desired_values)
    : state_(state) {
    for (const Port& port : state.ports) {
        if (port.link && !port.link->lower.empty()) on_[port.link->lower].push_back(&port);
        if (port.vlan && !port.vlan->parent.empty()) vlans_[port.vlan->parent].push_back(&port);
        if (!port.addresses) continue;
        for (const Address& address : *port.addresses) {
            Ports& holders = holders_[address.ip];
            if (holders.empty() || holders.back() != &port) holders.push_back(&port);
        }
    }
    for (const Port* port : fabric_ports) {
        fabric_.insert(port->name);
        for (const Address& address : reachable_addresses(*port))
            of_fabric_.push_back({port, address});
    }
    for (const Port& port : state.ports) {
        if (is_of_fabric(port.name)) continue;
        for (const Address& address : reachable_addresses(port))
            of_strangers_.push_back({&port, address});
    }
    std::vector<Ports> senders;
    for (const Port* port : fabric_ports)
        senders.push_back(senders_by(*port));
    destinations_ = Destinations(state, fabric_ports, senders);
    if (desired_values == nullptr) return;
    for (const Desired& desired : desired_values->desired_values) {
        if (desired.field->key == "up" && desired.value == Value(false)) down_.insert(desired.port);
        if (desired.field->key == "bond.members" && desired.value) members_.insert(desired.element);
    }
}

const HostIndex::Ports& HostIndex::on(std::string_view name) const {
    return those_at(on_, name);
}

const HostIndex::Ports& HostIndex::holders_of(const Ip& address) const {
    return those_at(holders_, address);
}

HostIndex::Ports HostIndex::vlans_by(const Port& port) const {
    Ports out = those_at(vlans_, std::string_view(port.name));
    const std::string bond = link::bond_of(port);
    if (bond.empty()) return out;
    const std::string_view name = bond;
    const Ports& of_bond = those_at(vlans_, name);
    out.insert(out.end(), of_bond.begin(), of_bond.end());
    order(out);
    return out;
}

HostIndex::Ports HostIndex::senders_by(const Port& port) const {
    Ports others;
    const auto add_vlans_on = [&](std::string_view name) {
        for (const Port* other : on(name))
            if (other->link->kind == "vlan") others.push_back(other);
    };
    add_vlans_on(port.name);
    if (const std::string bond = link::bond_of(port);
        !bond.empty() && rdma_link::has_device(port)) {
        add_vlans_on(bond);
        if (const Port* found = find_port(state_, bond)) others.push_back(found);
    }
    order(others);
    Ports out = {&port};
    out.insert(out.end(), others.begin(), others.end());
    return out;
}

const Port* HostIndex::in_one_subnet(const Port& port) const {
    const Addresses own = reachable_addresses(port);
    const auto found = std::ranges::find_if(of_fabric_, [&](const Held& other) {
        return other.port->name != port.name && share_network(own, other.address);
    });
    return found == of_fabric_.end() ? nullptr : found->port;
}

HostIndex::Ports HostIndex::strangers_in_subnet(const Port& port) const {
    const Addresses own = reachable_addresses(port);
    Ports out;
    for (const Held& other : of_strangers_)
        if ((out.empty() || out.back() != other.port) && share_network(own, other.address))
            out.push_back(other.port);
    return out;
}

HostIndex::Ports HostIndex::carried_by(const Port& port) const {
    Ports out = {&port};
    const std::string name = link::bond_of(port);
    if (const Port* bond = name.empty() ? nullptr : find_port(state_, name)) out.push_back(bond);
    std::unordered_set<const Port*> known(out.begin(), out.end());
    for (std::size_t i = 0; i < out.size(); ++i)
        for (const Port* other : on(out[i]->name))
            if (known.insert(other).second) out.push_back(other);
    return out;
}

}  // namespace core

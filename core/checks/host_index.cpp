// SPDX-License-Identifier: Apache-2.0
#include "core/checks/host_index.hpp"

#include <algorithm>
#include <charconv>
#include <functional>

#include "core/checks/checks.hpp"
#include "core/objects/ip/parts.hpp"
#include "core/objects/link/parts.hpp"
#include "core/objects/rdma/parts.hpp"

namespace core {
namespace {

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

/// `01:00.0` of `0000:01:00.0`: where a function is on the bus of its domain.
std::string_view within_domain(const Port& port) {
    const std::string_view pci = port.link ? std::string_view(port.link->pci) : std::string_view();
    const std::size_t at = pci.find(':');
    return at == std::string_view::npos || pci.rfind(':') == at ? "" : pci.substr(at + 1);
}

/// Whether the function has at most half of the lanes that its device can have.
bool has_half_its_lanes(const Port& port) {
    return port.pcie_link && port.pcie_link->width != 0 &&
           port.pcie_link->width * 2 <= port.pcie_link->max_width;
}

/// Whether the ports' addresses are of one NIC: it numbers its functions one after the other, and
/// no two NICs share a block of eight. Hosts with a PCI domain for each slot have every card at one
/// place of its own bus, which alone proves nothing.
bool is_of_one_nic(const Port& port, const Port& other) {
    constexpr std::size_t whole = 17;  // b8:3f:d2:9a:50:10
    constexpr std::size_t head = 15;
    constexpr int block = 8;
    const auto own = [](const Port& of) -> const std::string& {
        return of.link->permanent_mac.empty() ? of.link->mac : of.link->permanent_mac;
    };
    const std::string& one = own(port);
    const std::string& two = own(other);
    if (one.size() != whole || two.size() != whole || one.compare(0, head, two, 0, head) != 0)
        return false;
    const auto last = [](const std::string& mac) {
        int number = 0;
        std::from_chars(mac.data() + head, mac.data() + whole, number, 16);
        return number;
    };
    const int apart = last(one) - last(two);
    return -block < apart && apart < block;
}

/// In the order of the host, which is that of where its ports lie, and each once.
void order(HostIndex::Ports& ports) {
    std::ranges::sort(ports, std::less<>());
    // std::ranges::unique is beyond clang 14 with the library of GCC 12.
    ports.erase(std::unique(ports.begin(), ports.end()), ports.end());
}

}  // namespace

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
    fabrics_ = HostFabrics(state, fabric_ports, senders, desired_values);
    if (desired_values == nullptr) return;
    for (const Desired& desired : desired_values->desired_values) {
        if (desired.field->key == "up" && desired.value == Value(false)) down_.insert(desired.port);
        if (desired.field->key == "bond.members" && desired.value) members_.insert(desired.element);
        if (desired.field->key == "addresses" && desired.value)
            addressed_.emplace(desired.element, &desired.port);
    }
}

const HostIndex::Ports& HostIndex::on(std::string_view name) const {
    return those_at(on_, name);
}

const std::string& HostIndex::desired_at(std::string_view address) const {
    static const std::string none;
    const auto found = addressed_.find(address);
    return found == addressed_.end() ? none : *found->second;
}

const HostIndex::Ports& HostIndex::holders_of(const Ip& address) const {
    return those_at(holders_, address);
}

HostIndex::Ports HostIndex::on_one_cable(const Port& port) const {
    Ports out;
    const std::string_view place = within_domain(port);
    if (place.empty() || !port.device || !has_half_its_lanes(port)) return out;
    for (const Port& other : state_.ports)
        if (other.name != port.name && within_domain(other) == place &&
            other.link->pci != port.link->pci && other.device == port.device &&
            other.link->carrier == port.link->carrier && has_half_its_lanes(other) &&
            is_of_one_nic(port, other))
            out.push_back(&other);
    return out;
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

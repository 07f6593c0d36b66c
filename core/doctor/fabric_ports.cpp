// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "core/doctor/examination.hpp"
#include "core/objects/ip/parts.hpp"
#include "core/objects/link/parts.hpp"
#include "core/objects/rdma/parts.hpp"

namespace core {
namespace {

bool has_default_route(const Port& port) {
    return port.routes && std::ranges::any_of(*port.routes, [](const Route& route) {
               return route.to.length == 0 && route.table == kMainTable && route.via.has_value();
           });
}

/// What a bond's routes are for its members are for.
bool is_managed(const State& state, const Port& port) {
    const std::string name = link::bond_of(port);
    const Port* bond = name.empty() ? nullptr : find_port(state, name);
    return has_default_route(port) || (bond != nullptr && has_default_route(*bond));
}

/// A port that others send to: not what stands in a NIC's switch for one in a virtual machine. One
/// of which a state does not have the link may be such.
bool is_own(const Port& port) {
    return port.name != kHost &&
           (!port.link || (port.link->function != "rep" && port.link->kind != "vlan"));
}

bool is_stated(const Port& port, const DesiredState& desired_values) {
    return is_own(port) &&
           std::ranges::find(desired_values.ports, port.name) != desired_values.ports.end();
}

std::set<const Port*> stated(const State& state, const DesiredState& desired_values) {
    std::set<const Port*> out;
    for (const std::string& name : desired_values.ports)
        if (const Port* port = find_port(state, name); port != nullptr && is_own(*port))
            out.insert(port);
    return out;
}

/// Whether the port has an address where this one sends to through a gateway.
bool is_sent_to(const Port& by, const Port& port) {
    bool out = false;
    if (port.addresses)
        routes::each_open(by, [&](const Route& route) {
            out = out || (route.via && route.to.length != 0 &&
                          std::ranges::any_of(*port.addresses, [&](const Address& own) {
                              return contains(route.to, own.ip);
                          }));
        });
    return out;
}

/// Ports that are set up as these are and have no RoCE device, where three or more with their
/// driver have one: those of a NIC, up, of no bond, with an address where the others send to.
std::vector<const Port*> without_device(const State& state, const std::set<const Port*>& fabric) {
    std::map<std::string_view, unsigned> siblings;
    for (const Port* port : fabric)
        if (port->device && port->rdma_link->type.empty()) ++siblings[port->device->driver];
    constexpr unsigned enough = 3;
    std::vector<const Port*> out;
    for (const Port& port : state.ports) {
        if (!port.link || !is_own(port) || fabric.contains(&port) || !port.device) continue;
        const auto found = siblings.find(port.device->driver);
        if (found == siblings.end() || found->second < enough) continue;
        const Link& link = *port.link;
        const bool of_nic = link.kind.empty() && link.master.empty() &&
                            (link.function.empty() || link.function == "pf");
        if (of_nic && link.up && port.rdma_link && !may_be_of_fabric(port) &&
            !is_managed(state, port) && std::ranges::any_of(fabric, [&](const Port* other) {
                return is_sent_to(*other, port);
            }))
            out.push_back(&port);
    }
    return out;
}

/// Whether nobody uses the port: it has no address of its own and sends to nowhere, is of no bond,
/// and nothing is on it.
bool is_bare(const State& state, const Port& port) {
    const auto is_own_address = [](const Address& own) { return !is_link_local(own.ip); };
    const auto leads_away = [](const Route& route) { return route.via.has_value(); };
    return port.addresses && std::ranges::none_of(*port.addresses, is_own_address) && port.routes &&
           std::ranges::none_of(*port.routes, leads_away) && port.link->master.empty() &&
           std::ranges::none_of(state.ports, [&](const Port& other) {
               return other.link && other.link->lower == port.name;
           });
}

/// A function for virtual machines and pods that none of them has: it is down.
bool is_idle_function(const State& state, const Port& port) {
    if (!port.link) return false;
    const std::string& function = port.link->function;
    return (function == "vf" || function == "sf") && !port.link->up && is_bare(state, port);
}

/// `0000:01:00` and `0` of `0000:01:00.0`: the card, and which of its functions.
std::pair<std::string_view, std::string_view> card_and_function(const Port& port) {
    const std::string_view pci = port.link ? std::string_view(port.link->pci) : std::string_view();
    const std::size_t at = pci.rfind('.');
    if (at == std::string_view::npos) return {};
    return {pci.substr(0, at), pci.substr(at + 1)};
}

/// Whether nobody has plugged the port in: it never had a link since its driver was loaded, or at
/// least never lost one (net/sched/sch_generic.c netif_carrier_on, netif_carrier_off), and nobody
/// uses it.
bool is_unplugged(const State& state, const Port& port) {
    return port.link && !port.link->carrier &&
           (port.link->carrier_up_count == 0 || port.link->carrier_down_count == 0) &&
           is_bare(state, port);
}

/// Ports that are not plugged in of cards whose other port is. Not where the same port of another
/// card is: then a cable is missing.
std::set<const Port*> unused_ports(const State& state, const std::set<const Port*>& ports) {
    std::set<const Port*> unplugged;
    for (const Port* port : ports)
        if (is_unplugged(state, *port)) unplugged.insert(port);
    std::set<const Port*> out;
    for (const Port* port : unplugged) {
        const auto [card, function] = card_and_function(*port);
        bool is_plugged = false;
        bool is_missed = false;
        for (const Port* other : ports) {
            if (unplugged.contains(other)) continue;
            const auto [other_card, other_function] = card_and_function(*other);
            is_plugged = is_plugged || (!card.empty() && other_card == card);
            is_missed = is_missed || other_function == function;
        }
        if (is_plugged && !is_missed) out.insert(port);
    }
    return out;
}

std::set<const Port*> with_rdma(const State& state) {
    std::set<const Port*> out;
    for (const Port& port : state.ports)
        if (may_be_of_fabric(port)) out.insert(&port);
    const auto idle = [&](const Port* port) { return is_idle_function(state, *port); };
    if (!std::ranges::all_of(out, idle)) std::erase_if(out, idle);
    const auto managed = [&](const Port* port) { return is_managed(state, *port); };
    if (!std::ranges::all_of(out, managed)) std::erase_if(out, managed);
    for (const Port* unused : unused_ports(state, out))
        out.erase(unused);
    const std::vector<const Port*> lost = without_device(state, out);
    out.insert(lost.begin(), lost.end());
    return out;
}

}  // namespace

bool may_be_of_fabric(const Port& port) {
    return is_own(port) && port.rdma_link && !port.rdma_link->device.empty() &&
           rdma_link::speaks_roce(port);
}

const Port* roce_bond_of(const State& state, const Port& member,
                         const DesiredState* desired_values) {
    const std::string name = link::bond_of(member);
    if (name.empty() || (member.rdma_link && !member.rdma_link->device.empty())) return nullptr;
    const Port* bond = find_port(state, name);
    if (bond == nullptr) return nullptr;
    const bool has_roce =
        may_be_of_fabric(*bond) || (desired_values != nullptr && is_stated(*bond, *desired_values));
    return has_roce ? bond : nullptr;
}

std::vector<const Port*> fabric_ports(const State& state, const DesiredState* desired_values) {
    std::set<const Port*> own =
        desired_values != nullptr ? stated(state, *desired_values) : with_rdma(state);
    // What is a bond's is looked for there, and so the bond is looked at where its members are.
    for (const Port& port : state.ports)
        if (own.contains(&port))
            if (const Port* bond = roce_bond_of(state, port, desired_values)) own.insert(bond);
    std::vector<const Port*> out;
    for (const Port& port : state.ports)
        if (own.contains(&port) || own.contains(roce_bond_of(state, port, desired_values)))
            out.push_back(&port);
    return out;
}

}  // namespace core

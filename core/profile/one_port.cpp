// SPDX-License-Identifier: Apache-2.0
#include "core/profile/one_port.hpp"

#include <algorithm>
#include <set>

#include "core/model/finding_names.hpp"

namespace core {
namespace {

bool same_place(const Port& left, const Port& right) {
    const bool slot =
        left.link && right.link && !left.link->pci.empty() && left.link->pci == right.link->pci;
    return left.name == right.name || slot;
}

/// The address that a device keeps, whatever it is called and wherever it is plugged in.
std::string own_mac(const Port& port) {
    return port.link ? port.link->permanent_mac : std::string();
}

bool is_other_device(const Port& left, const Port& right) {
    const std::string mac = own_mac(left);
    return !mac.empty() && !own_mac(right).empty() && mac != own_mac(right);
}

/// Whether the desired values put the port onto one of the others, or take one of them into it.
bool is_joined(const PortDesired& all, const std::set<std::string>& others) {
    static const Field& vlan = *find_field("vlan_link");
    static const Field& members = *find_field("bond.members");
    return std::ranges::any_of(all.desired_values, [&](const Desired& desired) {
        if (!desired.value) return false;
        if (desired.field == &members) return others.contains(desired.element);
        if (desired.field != &vlan) return false;
        const auto* link = std::get_if<Record>(&*desired.value);
        const auto parent = link == nullptr ? Record::const_iterator{} : link->find("parent");
        const auto* name = link == nullptr || parent == link->end()
                               ? nullptr
                               : std::get_if<std::string>(&parent->second);
        return name != nullptr && others.contains(*name);
    });
}

/// Whether the port is above one of the others as the host is: a VLAN on it, or its bond.
bool is_above(const Port& port, const std::set<std::string>& others,
              const std::vector<PortDesired>& all) {
    if (port.link && !port.link->lower.empty() && others.contains(port.link->lower)) return true;
    return std::ranges::any_of(all, [&](const PortDesired& other) {
        return others.contains(other.port->name) && link::bond_of(*other.port) == port.name;
    });
}

}  // namespace

std::optional<State> with_missing(State now, const State& earlier) {
    std::vector<Port> missing;
    for (const Port& port : earlier.ports) {
        const auto there = std::ranges::find_if(
            now.ports, [&](const Port& other) { return same_place(port, other); });
        if (there == now.ports.end())
            missing.push_back(port);
        else if (is_other_device(port, *there))
            return std::nullopt;
    }
    std::ranges::move(missing, std::back_inserter(now.ports));
    return now;
}

DesiredState resolve_one(const Profile& profile, const Variables& variables, const State& inventory,
                         const std::optional<State>& earlier, const std::string& port) {
    DesiredState out = resolve(profile, variables, inventory, port);
    if (is_complete(out) || find_port(inventory, port) == nullptr) return out;
    if (const auto whole = earlier ? with_missing(inventory, *earlier) : std::nullopt)
        return resolve(profile, variables, *whole, port);
    for (Finding& finding : out.findings)
        if (finding.level == Finding::Level::failure)
            finding.remedy =
                "apply the profile without --port once, when all ports are there: then their order "
                "is known";
    return out;
}

State places_of(const State& inventory) {
    State out;
    out.host.name = inventory.host.name;
    for (const Port& port : inventory.ports) {
        Port& place = out.ports.emplace_back(port.name);
        place.device = port.device;
        place.rdma_link = port.rdma_link;
        if (!port.link) continue;
        place.link.emplace();
        place.link->mac = port.link->mac;
        place.link->permanent_mac = port.link->permanent_mac;
        place.link->pci = port.link->pci;
        place.link->function = port.link->function;
        place.link->kind = port.link->kind;
    }
    return out;
}

void keep_only(const std::string& port, std::vector<PortDesired>& all) {
    std::set<std::string> kept = {port};
    for (std::size_t before = 0; before != kept.size();) {
        before = kept.size();
        for (const PortDesired& other : all)
            if (is_joined(other, kept) || is_above(*other.port, kept, all))
                kept.insert(other.port->name);
    }
    std::erase_if(all, [&](const PortDesired& other) { return !kept.contains(other.port->name); });
}

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#include "core/checks/reported_bond.hpp"

#include <algorithm>

#include "core/checks/host_index.hpp"
#include "core/objects/link/parts.hpp"

namespace core {
namespace {

/// The bond that the port is, or is a member of; null where it is neither, or it was not read.
const Port* bond_at(const Evidence& evidence) {
    const Link& link = *evidence.now->link;
    if (link.kind == "bond") return evidence.now;
    const std::string name = link::bond_of(*evidence.now);
    return name.empty() ? nullptr : find_port(*evidence.state, name);
}

/// Told once of each bond: of itself where it is of the fabric, else of its first member that is.
bool is_reported_here(const Evidence& evidence, const Port& bond) {
    const auto& ports = evidence.fabric_ports;
    if (evidence.index->is_of_fabric(bond.name)) return evidence.now->name == bond.name;
    const auto first = std::ranges::find_if(
        ports, [&](const Port* port) { return link::bond_of(*port) == bond.name; });
    return first != ports.end() && (*first)->name == evidence.now->name;
}

}  // namespace

const Port* reported_bond(const Evidence& evidence) {
    const Port* bond = bond_at(evidence);
    return bond != nullptr && is_reported_here(evidence, *bond) ? bond : nullptr;
}

std::vector<const Port*> members_at(const Evidence& evidence, const Port& bond) {
    std::vector<const Port*> out;
    for (const std::string& name : link::members_of(*evidence.state, bond.name))
        out.push_back(find_port(*evidence.state, name));
    return out;
}

}  // namespace core

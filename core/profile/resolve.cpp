// SPDX-License-Identifier: Apache-2.0
#include "core/profile/resolve.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "core/model/finding_names.hpp"
#include "core/profile/bonds.hpp"
#include "core/profile/collection.hpp"
#include "core/profile/conflict.hpp"
#include "core/profile/offline.hpp"
#include "core/profile/profile.hpp"

namespace core {
namespace {

/// Where the desired value for an element is among the others.
using Places = std::map<std::pair<const Field*, std::string>, std::size_t>;

/// The stated ones come first, and what is derived gives way to them.
void add_desired(Desired desired, const std::string& port, Places& places, DesiredState& out) {
    const auto [place, fresh] =
        places.try_emplace({desired.field, desired.element}, out.desired_values.size());
    if (fresh) {
        out.desired_values.push_back(std::move(desired));
        return;
    }
    Desired* const same = &out.desired_values[place->second];
    if (is_derived(desired.origin) && !is_derived(same->origin)) return;
    if (same->value == desired.value && same->accepted == desired.accepted) {
        same->optional = same->optional && desired.optional;
        same->external = same->external || desired.external;
        same->required = same->required || desired.required;
        return;
    }
    Finding finding = conflict(port, std::string(desired.field->key), said_in(*same, port),
                               said_in(desired, port));
    finding.element = desired.element;
    out.findings.push_back(std::move(finding));
}

/// By their fields, and of one field as they come. Desired values are large: each is moved once.
std::vector<Desired> by_field(std::vector<Desired> desired_values) {
    std::vector<Desired*> order;
    for (Desired& desired : desired_values)
        order.push_back(&desired);
    std::ranges::stable_sort(order, {}, [](const Desired* desired) { return desired->field; });
    std::vector<Desired> out;
    out.reserve(desired_values.size());
    for (Desired* desired : order)
        out.push_back(std::move(*desired));
    return out;
}

/// What the desired values cannot all mean.
void check_consistency(const PortDesired& all, DesiredState& out) {
    for (const Fault& fault :
         inconsistencies(out.desired_values, all.intent, all.switches, driver_of(*all.port)))
        out.findings.push_back({.id = *fault.row,
                                .port = all.port->name,
                                .key = std::string(fault.at->field->key),
                                .element = fault.at->element,
                                .text = text(fault.at->origin) + ": " + fault.text,
                                .remedy = fault.remedy,
                                .origin = fault.at->origin});
}

/// Nobody but a person can tell which of two RDMA devices is meant.
void check_device(const PortDesired& all, DesiredState& out) {
    const auto& rdma = all.port->rdma_link;
    if (!rdma) return;
    const auto failure = [&](std::string text, std::string remedy) {
        out.findings.push_back({.id = findings::rdma_device,
                                .port = all.port->name,
                                .key = "rdma.device",
                                .text = std::move(text),
                                .remedy = std::move(remedy)});
    };
    const bool all_desired = std::ranges::any_of(out.desired_values, [](const Desired& desired) {
        return desired.field->key.starts_with("rdma.") && desired.field->key != "rdma.link";
    });
    std::string devices = rdma->device;
    for (const std::string& other : rdma->others)
        devices += ", " + other;
    const Said& meant = all.rdma_device;
    if (meant.value.empty()) {
        if (all_desired && !rdma->others.empty())
            failure("the port has more than one RDMA device (" + devices + ")",
                    "state rdma.device");
    } else if (!rdma->device.empty() && meant.value != rdma->device) {
        failure(text(meant.origin) + " states " + meant.value +
                    ", but settings of this port go to " + rdma->device,
                "state rdma.device " + rdma->device);
    }
}

/// A collection that is stated to be exact is so for every value.
void add_exact(const PortDesired& all, DesiredState& out) {
    for (const Exact& exact : all.exact) {
        const bool covered = std::ranges::any_of(all.exact, [&](const Exact& other) {
            return other.field == exact.field && !other.only && exact.only;
        });
        const bool again = std::ranges::any_of(out.exact, [&](const Exact& other) {
            return other.field == exact.field && other.only == exact.only;
        });
        if (covered || again) continue;
        out.exact.push_back(exact);
        out.exact.back().port = all.port->name;
    }
}

/// The desired values of all entries for a port as one: what is derived gives way to what is
/// stated, and where the entries contradict each other or themselves is a finding.
DesiredState conflict_resolution(PortDesired all) {
    const std::string& port = all.port->name;
    DesiredState out{.ports = {port}};
    Places places;
    out.desired_values.reserve(all.desired_values.size());
    for (const bool derived : {false, true})
        for (Desired& desired : all.desired_values)
            if (is_derived(desired.origin) == derived)
                add_desired(std::move(desired), port, places, out);
    out.desired_values = by_field(std::move(out.desired_values));
    check_consistency(all, out);
    check_device(all, out);
    for (Desired& desired : out.desired_values)
        desired.port = port;
    add_exact(all, out);
    return out;
}

/// Whether what all ports state contradicts what these do: nobody sees that of one port alone.
bool opposes(const DesiredState& these, const Finding& finding) {
    return finding.level == Finding::Level::failure && !finding.port.empty() &&
           std::ranges::find(these.ports, finding.port) != these.ports.end() &&
           std::ranges::find(these.findings, finding) == these.findings.end();
}

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

}  // namespace

DesiredState resolve(const Profile& profile, const Variables& variables, const State& inventory,
                     const std::string& only, const std::optional<State>& earlier) {
    Collection collection = gather(profile, variables, inventory, only, earlier);
    DesiredState out{.findings = std::move(collection.findings),
                     .fabrics = std::move(collection.fabrics),
                     .missing = std::move(collection.missing)};
    std::size_t most = 0;
    for (const PortDesired& all : collection.ports)
        most += all.desired_values.size();
    out.desired_values.reserve(most);
    for (PortDesired& all : collection.ports) {
        DesiredState settled = conflict_resolution(std::move(all));
        std::ranges::move(settled.ports, std::back_inserter(out.ports));
        std::ranges::move(settled.desired_values, std::back_inserter(out.desired_values));
        std::ranges::move(settled.exact, std::back_inserter(out.exact));
        std::ranges::move(settled.findings, std::back_inserter(out.findings));
    }
    std::ranges::move(desired_twice(out.desired_values), std::back_inserter(out.findings));
    std::ranges::move(member_of_two(out.desired_values), std::back_inserter(out.findings));
    if (!only.empty()) {
        const DesiredState all = resolve(profile, variables, inventory);
        std::ranges::copy_if(all.findings, std::back_inserter(out.findings),
                             [&](const Finding& finding) { return opposes(out, finding); });
    }
    const bool fine = std::ranges::all_of(
        out.findings, [](const Finding& finding) { return finding.level == Finding::Level::note; });
    if (fine && out.desired_values.empty() && out.exact.empty() && only.empty())
        out.findings.push_back({.id = findings::no_wish,
                                .text = "the profile states nothing of the ports it matches",
                                .remedy = "state a setting, or roce"});
    return out;
}

bool may_miss_ports(const Profile& profile) {
    const Node* ports = profile.tree.find("ports");
    return ports != nullptr && std::ranges::any_of(ports->items, [](const Node& entry) {
               return entry.find("missing") != nullptr;
           });
}

bool is_complete(const DesiredState& desired_values) {
    return std::ranges::none_of(desired_values.findings, [](const Finding& finding) {
        return finding.id == findings::no_match || finding.id == findings::expect;
    });
}

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

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#include "core/objects/link/parts.hpp"

#include <algorithm>
#include <cerrno>
#include <iterator>

#include "core/model/access.hpp"
#include "core/model/shell.hpp"
#include "core/objects/rows.hpp"

namespace core::bond_members {

namespace {

Got get_members(const Port& port) {
    if (!port.bond_members) return std::nullopt;
    Elements elements;
    for (const std::string& name : *port.bond_members)
        elements.emplace(name, name);
    return elements;
}

void set_members(Port& port, const Elements& elements) {
    port.bond_members.emplace();
    for (const auto& [name, value] : elements)
        port.bond_members->insert(std::get<std::string>(value));
}

using enum Shape::Kind;

constexpr std::array kFields = {
    setting("bond.members", {.kind = items, .text = Shape::Text::name, .names = Shape::Names::port},
            "Ports that the bond is made of. One that joins goes down for it and gets the bond's "
            "MTU; one that leaves stays down.",
            get_members, set_members),
};

/// What leaves is closed (bond_main.c __bond_release_one), and has the MTU again that it joined
/// with, which nobody can read.
void leave(State& state, const std::string& name, std::vector<Port>& touched) {
    Port* member = find_port(state, name);
    if (member == nullptr || !member->link) return;
    touched.push_back(*member);
    member->link->master.clear();
    member->link->master_kind.clear();
    link::open(*member, false);
}

/// bond_main.c bond_enslave: only what is down is taken, and it is opened then.
Refused join(State& state, Port& bond, const std::string& name, std::vector<Port>& touched) {
    Port* member = find_port(state, name);
    if (member == nullptr || !member->link || name == bond.name)
        return Refusal{.code = ENODEV, .text = "No such device: " + name};
    if (!member->link->master.empty() && member->link->master != bond.name)
        return Refusal{.code = EBUSY, .text = name + " is a member of " + member->link->master};
    const Port before = *member;
    const std::uint32_t mtu = bond.link ? bond.link->mtu : member->link->mtu;
    if (member->link->mtu != mtu)
        if (const Refused no = link::out_of_range(*member->link, mtu))
            return Refusal{.code = no->code, .text = name + ": " + no->text};
    link::open(*member, false);
    if (member->link->mtu != mtu) link::resize(*member, mtu);
    member->link->master = bond.name;
    member->link->master_kind = "bond";
    if (bond.link && bond.link->mac.empty()) bond.link->mac = member->link->mac;
    if (bond.link) member->link->mac = bond.link->mac;
    link::open(*member, true);
    touched.push_back(before);
    return std::nullopt;
}

void take_back(State& state, std::vector<Port>& touched) {
    std::ranges::reverse(touched);
    for (const Port& port : touched)
        *find_port(state, port.name) = port;
}

Played play(const Driver& /*driver*/, State& state, Port& now, const Port& then) {
    if (!now.bond_members || !now.link) return Refusal{.code = ENODEV, .text = "No such device"};
    std::vector<Port> touched;
    for (const std::string& name : *now.bond_members)
        if (!then.bond_members->contains(name)) leave(state, name, touched);
    for (const std::string& name : *then.bond_members) {
        if (now.bond_members->contains(name)) continue;
        if (const Refused no = join(state, now, name, touched)) {
            take_back(state, touched);
            return *no;
        }
    }
    now.bond_members = then.bond_members;
    std::ranges::move(link::follow_members(state, now), std::back_inserter(touched));
    return Played(std::move(touched));
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    Commands lines;
    for (const std::string& name : *now.bond_members)
        if (!then.bond_members->contains(name))
            lines.push_back("ip link set dev " + shell(name) + " nomaster");
    for (const std::string& name : *then.bond_members) {
        if (now.bond_members->contains(name)) continue;
        lines.push_back("ip link set dev " + shell(name) + " down");
        lines.push_back("ip link set dev " + shell(name) + " master " + shell(now.name));
    }
    return lines;
}

/// The RDMA device that a bond of RDMA NICs has comes and goes as the NICs' drivers have it.
std::optional<std::string> remarks(const Driver& /*driver*/, const Host& /*host*/, const Port& now,
                                   const Port& then) {
    const bool joins = !std::ranges::includes(*now.bond_members, *then.bond_members);
    if (!joins) return std::nullopt;
    return "RDMA devices of the members follow the bond: mlx5_core and bnxt_en make one of two "
           "ports of a NIC, without what was set on the two, and ice takes them away";
}

/// The PCI device without its function, or the bus of it: the ports of one NIC share it.
std::string_view nic_of(const Driver& driver, const Port& port) {
    const std::string_view pci = port.link ? std::string_view(port.link->pci) : std::string_view();
    return pci.substr(0, pci.rfind(driver.bond_members.of_one_bus ? ':' : '.'));
}

/// drivers/net/ethernet/mellanox/mlx5/core/lag/lag.c mlx5_handle_changeupper_event: of the kinds
/// that bond_main.c bond_lag_tx_type gives the modes, those that it takes.
bool is_hashed_or_backed_up(const std::string& mode) {
    return mode == bond::kLacp || mode == "balance-xor" || mode == "active-backup";
}

std::string_view awaits_device(const State& state, const Port& now) {
    if (!now.rdma_link || !now.rdma_link->device.empty()) return {};
    if (!now.bond || !is_hashed_or_backed_up(now.bond->mode)) return {};
    if (!now.bond_members || now.bond_members->size() < 2) return {};
    std::string_view nic;
    std::string_view device;
    const bool all = std::ranges::all_of(*now.bond_members, [&](const std::string& name) {
        const Port* member = find_port(state, name);
        if (member == nullptr || !member->rdma_link || member->rdma_link->device.empty())
            return false;
        const Driver& driver = driver_of(*member);
        device = driver.bond_members.one_device;
        if (nic.empty()) nic = nic_of(driver, *member);
        return !device.empty() && !nic.empty() && nic == nic_of(driver, *member) &&
               now.bond_members->size() <= driver.bond_members.most;
    });
    return all ? device : std::string_view();
}

constexpr std::array kTouches = {Object::link, Object::addresses, Object::routes,
                                 Object::neighbours};
constexpr std::array kConsults = {Object::bond};

constexpr std::array kAtBoot = {
    AtBoot{"bond.members", BootProgram::network_manager, "bond.*", false},
};

}  // namespace

std::vector<Port> release_all(State& state, const Port& bond) {
    std::vector<Port> touched;
    for (const std::string& name : link::members_of(state, bond.name))
        leave(state, name, touched);
    return touched;
}

std::vector<Port> rejoin(State& state, Port& bond) {
    const std::vector<std::string> members = link::members_of(state, bond.name);
    std::vector<Port> before;
    for (const std::string& name : members)
        before.push_back(*find_port(state, name));
    std::vector<Port> ignored;
    for (const std::string& name : members) {
        leave(state, name, ignored);
        static_cast<void>(join(state, bond, name, ignored));
    }
    return before;
}

constinit const ObjectRow row = {.object = Object::bond_members,
                                 .name = "bond_members",
                                 .doc = "The members of a bond.",
                                 .topic = Topic::vlan,
                                 .names_ports = true,
                                 .sees_others = true,
                                 .fields = kFields,
                                 .disruption = Disruption::link,
                                 .play = play,
                                 .lifecycle = {.awaits_device = awaits_device},
                                 .order = {.consults = kConsults,
                                           .touches = kTouches,
                                           // lag.c mlx5_queue_bond_work: a second later, and again
                                           // where the device is busy
                                           .settle_ms = 10000},
                                 .chosen_by = {.others = Others::network_daemon},
                                 .words = {.remarks = remarks, .spell = spell},
                                 .boot = {.programs = kAtBoot}};

}  // namespace core::bond_members

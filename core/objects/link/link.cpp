// SPDX-License-Identifier: Apache-2.0
#include "core/objects/link/parts.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>

#include "core/model/access.hpp"
#include "core/model/shell.hpp"
#include "core/objects/rows.hpp"

namespace core::link {
namespace {

/// What ifdown costs: every route and neighbour (net/core/neighbour.c neigh_ifdown), and every IPv6
/// address (keep_addr_on_down is off by default).
void take_down(Port& port) {
    addresses::lose(port, [](const Ip& ip) { return ip.v6; });
    neighbours::lose(port, [](const Ip& /*ip*/) { return true; });
    routes::lose(port, [](const Route& /*route*/) { return true; });
    routes::lose_nexthops(port);
}

}  // namespace

void lose_ipv6(Port& port) {
    addresses::lose(port, [](const Ip& ip) { return ip.v6; });
    routes::lose(port, [](const Route& route) { return route.to.ip.v6; });
    neighbours::lose(port, [](const Ip& ip) { return ip.v6; });
}

std::string bond_of(const Port& port) {
    return port.link && port.link->master_kind == "bond" ? port.link->master : std::string();
}

std::vector<std::string> members_of(const State& state, const std::string& bond) {
    std::vector<std::string> out;
    // Every other port of the host is asked only about a bond.
    const Port* found = find_port(state, bond);
    if (found != nullptr && found->link && found->link->kind != "bond") return out;
    for (const Port& port : state.ports)
        if (port.link && port.link->master_kind == "bond" && port.link->master == bond)
            out.push_back(port.name);
    return out;
}

void reopen(Port& port) {
    if (!port.link || !port.link->up) return;
    take_down(port);
    routes::connect(port);
}

namespace {

/// The kernel changes the MTU of IPv6 routes that have their own, where it is larger than the
/// port's or was as large (net/ipv6/route.c rt6_mtu_change_route).
void resize_routes(Port& port, std::uint32_t mtu) {
    if (!port.routes) return;
    for (Route& route : *port.routes)
        if (route.to.ip.v6 && route.mtu != 0 && (route.mtu >= mtu || route.mtu == port.link->mtu))
            route.mtu = mtu;
}

}  // namespace

void resize(Port& port, std::uint32_t mtu) {
    resize_routes(port, mtu);
    port.link->mtu = mtu;
    if (mtu < kIpv6Minimum) lose_ipv6(port);
    if (const auto follows = active_mtu::expected(driver_of(port), port))
        port.active_mtu->bytes = *follows;
}

void open(Port& port, bool up) {
    if (port.link->up && !up) take_down(port);
    const bool came_up = !port.link->up && up;
    port.link->up = up;
    if (came_up) routes::connect(port);
}

namespace {

/// A VLAN has the carrier of the device below (net/core/dev.c netif_stacked_transfer_operstate).
void follow(Port& port, const Port& lower) {
    if (port.link->up) port.link->carrier = lower.link->carrier;
}

/// VLANs go up and down with the port below, and carry no more than that carries
/// (net/8021q/vlan.c vlan_device_event), and so do VLANs on these. Gives back those that changed,
/// as they were.
std::vector<Port> carry_along(State& state, const Port& before, const Port& now) {
    std::vector<Port> touched;
    // What is under itself is in no kernel, only in a state that somebody wrote.
    if (before.link == now.link) return touched;
    for (Port& port : state.ports) {
        if (!port.link || port.link->lower != now.name || port.link->kind != "vlan") continue;
        const Port old = port;
        if (before.link->mtu != now.link->mtu && port.link->mtu > now.link->mtu)
            resize(port, now.link->mtu);
        if (before.link->up != now.link->up) {
            open(port, now.link->up);
            follow(port, now);
        }
        if (old == port) continue;
        touched.push_back(old);
        std::ranges::move(carry_along(state, old, port), std::back_inserter(touched));
    }
    return touched;
}

}  // namespace

/// A bond has the carrier of any member (drivers/net/bonding/bond_main.c bond_set_carrier).
std::vector<Port> follow_members(State& state, Port& bond) {
    const std::vector<std::string> members = members_of(state, bond.name);
    bond.link->carrier = bond.link->up && std::ranges::any_of(members, [&](const auto& name) {
                             return find_port(state, name)->link->carrier;
                         });
    std::vector<Port> touched;
    for (Port& port : state.ports) {
        if (!port.link || port.link->lower != bond.name) continue;
        const Port old = port;
        follow(port, bond);
        if (!(old == port)) touched.push_back(old);
    }
    return touched;
}

Refused out_of_range(const Link& link, std::uint32_t mtu) {
    const auto no = [](const char* why, std::uint32_t limit) {
        return Refusal{.code = EINVAL, .text = why + std::to_string(limit)};
    };
    if (mtu < link.mtu_min) return no("mtu less than device minimum, ", link.mtu_min);
    if (link.mtu_max != 0 && mtu > link.mtu_max)
        return no("mtu greater than device maximum, ", link.mtu_max);
    return std::nullopt;
}

namespace {

Got get_vlan(const Port& port) {
    if (!port.link) return std::nullopt;
    return port.link->vlan ? one(std::uint64_t{*port.link->vlan}) : Elements{};
}

void set_vlan(Port& port, const Elements& elements) {
    auto& vlan = part_of<&Port::link>(port).vlan;
    vlan.reset();
    if (!elements.empty()) vlan = static_cast<std::uint16_t>(plain<std::uint64_t>(elements));
}

std::optional<std::string> no_carrier(const State& /*state*/, const Port& port, const Value& up) {
    if (!port.link || up != Value(true)) return std::nullopt;
    return port.link->carrier ? std::string() : "carrier is off";
}

constexpr std::array<std::string_view, 1> kUp = {"up"};
constexpr std::array<std::string_view, 1> kByDriver = {"mtu"};
constexpr Proof kCarrier = {
    .from = kUp, .by_other_end = true, .finding = &findings::no_carrier, .missing = no_carrier};

using enum Shape::Kind;
using Text = Shape::Text;

constexpr std::array kFields = {
    fact("mac", {.kind = text, .text = Text::mac}, "Hardware address.",
         get_text<&Port::link, &Link::mac>, set_text<&Port::link, &Link::mac>),
    fact("permanent_mac", {.kind = text, .text = Text::mac},
         "Hardware address that the device was made with: the member of a bond keeps it under the "
         "bond's.",
         get_text<&Port::link, &Link::permanent_mac>, set_text<&Port::link, &Link::permanent_mac>),
    fact("pci", {.kind = text, .text = Text::pci}, "PCI address of the NIC function.",
         get_text<&Port::link, &Link::pci>, set_text<&Port::link, &Link::pci>),
    fact("function", {.kind = text},
         "What part of a NIC the port is: pf, the physical function; vf, a virtual one; sf, a "
         "subfunction; rep, what stands for one of the other two in the NIC's switch.",
         get_text<&Port::link, &Link::function>, set_text<&Port::link, &Link::function>),
    fact("kind", {.kind = text}, "Kind of a virtual device: vlan, bond, veth.",
         get_text<&Port::link, &Link::kind>, set_text<&Port::link, &Link::kind>),
    fact("master", {.kind = text, .names = Shape::Names::port},
         "Bond or bridge that the port is a member of.", get_text<&Port::link, &Link::master>,
         set_text<&Port::link, &Link::master>),
    fact("master_kind", {.kind = text}, "What the port is a member of: bond, bridge, vrf.",
         get_text<&Port::link, &Link::master_kind>, set_text<&Port::link, &Link::master_kind>),
    fact("lower", {.kind = text, .names = Shape::Names::port}, "Device that a VLAN runs on.",
         get_text<&Port::link, &Link::lower>, set_text<&Port::link, &Link::lower>),
    fact("vlan", {.kind = number, .max = 4094}, "VLAN id.", get_vlan, set_vlan),
    setting("up", {.kind = flag}, "The port is administratively up.",
            get_flag<&Port::link, &Link::up>, set_flag<&Port::link, &Link::up>),
    setting("mtu", {.kind = number, .min = 68, .max = 65535},
            "Largest IP packet the port carries, in bytes.", get_number<&Port::link, &Link::mtu>,
            set_number<&Port::link, &Link::mtu>),
    fact("mtu_min", {.kind = number, .max = kU32}, "Smallest MTU the driver takes.",
         get_number<&Port::link, &Link::mtu_min>, set_number<&Port::link, &Link::mtu_min>),
    fact("mtu_max", {.kind = number, .max = kU32},
         "Largest MTU the driver takes, 0 where it does not say.",
         get_number<&Port::link, &Link::mtu_max>, set_number<&Port::link, &Link::mtu_max>),
    fact("carrier", {.kind = flag}, "The link is there.", get_flag<&Port::link, &Link::carrier>,
         set_flag<&Port::link, &Link::carrier>, &kCarrier),
    fact("carrier_up_count", {.kind = counter, .max = kU32}, "How often the link came.",
         get_number<&Port::link, &Link::carrier_up_count>,
         set_number<&Port::link, &Link::carrier_up_count>),
    fact("carrier_down_count", {.kind = counter, .max = kU32}, "How often the link went.",
         get_number<&Port::link, &Link::carrier_down_count>,
         set_number<&Port::link, &Link::carrier_down_count>),
};

/// A VLAN carries no more than the device below it, and is up only above one that is
/// (net/8021q/vlan_dev.c vlan_dev_change_mtu and vlan_dev_open).
Refused above_lower(const State& state, const Port& now, const Port& then) {
    if (!then.link || then.link->lower.empty()) return std::nullopt;
    const Port* lower = find_port(state, then.link->lower);
    if (lower == nullptr || !lower->link) return std::nullopt;
    if (now.link->mtu != then.link->mtu && then.link->mtu > lower->link->mtu)
        return Refusal{.code = ERANGE,
                       .text =
                           "Numerical result out of range: a VLAN carries no more than the "
                           "port below, and " +
                           lower->name + " has mtu " + std::to_string(lower->link->mtu)};
    if (!now.link->up && then.link->up && !lower->link->up)
        return Refusal{.code = ENETDOWN, .text = "Network is down: " + lower->name + " is down"};
    return std::nullopt;
}

std::vector<std::string> vlans_above(const State& state, const std::string& port) {
    std::vector<std::string> out;
    for (const Port& other : state.ports)
        if (other.link && other.link->kind == "vlan" && other.link->lower == port)
            out.push_back(other.name);
    return out;
}

/// The kernel lets a member have an MTU of its own (drivers/net/bonding/bond_main.c
/// bond_slave_netdev_event), until somebody sets that of the bond.
Reason refuses(const Driver& /*driver*/, const Port& now, const Port& then) {
    const std::string bond = bond_of(now);
    if (bond.empty() || now.link->mtu == then.link->mtu) return std::nullopt;
    return "the port is a member of " + bond +
           ", which sets the MTU of its members whenever its own is set; state mtu for " + bond +
           ", too";
}

/// A bond sets every member first, and the first no is the answer (drivers/net/bonding/bond_main.c
/// bond_change_mtu).
Played set_members(State& state, const std::string& bond, std::uint32_t mtu) {
    const std::vector<std::string> members = members_of(state, bond);
    for (const std::string& name : members)
        if (const Refused no = out_of_range(*find_port(state, name)->link, mtu)) return *no;
    std::vector<Port> touched;
    for (const std::string& name : members) {
        Port& member = *find_port(state, name);
        touched.push_back(member);
        resize(member, mtu);
    }
    return Played(std::move(touched));
}

Played play(const Driver& /*driver*/, State& state, Port& now, const Port& then) {
    if (const Refused no = above_lower(state, now, then)) return *no;
    const Port before = now;
    const Link& wanted = *then.link;
    const Link& link = *now.link;
    std::vector<Port> members;
    if (link.mtu != wanted.mtu) {
        if (const Refused no = out_of_range(link, wanted.mtu)) return Played::no_by_port(*no);
        if (link.kind == "bond") {
            Played played = set_members(state, now.name, wanted.mtu);
            if (played.refusal) return played;
            members = std::move(played.touched);
        }
        resize(now, wanted.mtu);
    }
    const bool came_up = !now.link->up && wanted.up;
    open(now, wanted.up);
    const Port* lower = find_port(state, now.link->lower);
    if (came_up && lower != nullptr && lower->link) follow(now, *lower);
    std::vector<Port> touched = carry_along(state, before, now);
    if (came_up && !members_of(state, now.name).empty()) link::follow_members(state, now);
    std::ranges::move(members, std::back_inserter(touched));
    return Played(std::move(touched));
}

/// Below 1280 the kernel takes IPv6 off the port, with all of net.ipv6.conf that is its own, and
/// gives it the defaults when it comes back (net/ipv6/addrconf.c addrconf_notify, Linux 6.1 to
/// 7.3).
std::vector<std::string> lost_for_good(const Port& /*was*/, const Port& before, const Port& after) {
    if (!before.link || !after.link) return {};
    if (before.link->mtu < kIpv6Minimum || after.link->mtu >= kIpv6Minimum) return {};
    return {
        "an MTU below 1280 takes IPv6 off the port, with its own values of net.ipv6.conf and "
        "what else IPv6 had"};
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    std::string line = "ip link set dev " + shell(now.name);
    if (now.link->mtu != then.link->mtu) line += " mtu " + std::to_string(then.link->mtu);
    if (now.link->up != then.link->up) line += then.link->up ? " up" : " down";
    return {line};
}

constexpr std::array kTouches = {Object::addresses, Object::routes, Object::neighbours};

/// Firmware that owns the buffers sizes them anew by MTU.
Objects disturbs(const Driver& driver) {
    return driver.buffer.follows ? Objects{Object::buffer} : Objects{};
}

// systemd.link(5), systemd.network(5), nm-settings-keyfile(5), interfaces(5). NetworkManager takes
// the MTU from DHCP where none is stated, networkd where UseMTU= is.
constexpr std::array kAtBoot = {
    AtBoot{"mtu", BootProgram::link_file, "Link.MTUBytes"},
    AtBoot{"mtu", BootProgram::networkd, kByDhcp, false},
    AtBoot{"mtu", BootProgram::networkd, "Link.MTUBytes"},
    AtBoot{"mtu", BootProgram::network_manager, kByDhcp, false},
    AtBoot{"mtu", BootProgram::network_manager, "ethernet.mtu"},
    AtBoot{"mtu", BootProgram::ifupdown, "mtu"},
    AtBoot{"up", BootProgram::networkd, "up"},
    AtBoot{"up", BootProgram::network_manager, "up"},
    AtBoot{"up", BootProgram::ifupdown, "up"},
};

}  // namespace

constinit const ObjectRow row = {
    .object = Object::link,
    .name = "link",
    .doc = "Administrative state and MTU.",
    .topic = Topic::link,
    .child_states = true,
    .of_members = "mtu",
    .sees_others = true,
    .fields = kFields,
    .refuses = refuses,
    .play = play,
    .lifecycle = {.carries = vlans_above, .lost_for_good = lost_for_good},
    .read = {.inventory = true},
    .order = {.takes_down = kUp,
              .touches = kTouches,
              .by_driver = kByDriver,
              .disturbs = disturbs,
              .settle_ms = 2000},
    .chosen_by = {.others = Others::network_daemon | Others::sriov_operator},
    .words = {.spell = spell},
    .boot = {.programs = kAtBoot}};

}  // namespace core::link

// SPDX-License-Identifier: Apache-2.0
#include "core/objects/link/parts.hpp"

#include <array>
#include <cerrno>

#include "core/model/access.hpp"
#include "core/model/shell.hpp"
#include "core/objects/rows.hpp"

namespace core::vlan {

namespace {

Got get_link(const Port& port) {
    if (!port.vlan) return std::nullopt;
    if (port.vlan->parent.empty()) return Elements{};
    return one(Record{{"parent", port.vlan->parent}, {"id", std::uint64_t{port.vlan->id}}});
}

void set_link(Port& port, const Elements& elements) {
    Vlan& vlan = part_of<&Port::vlan>(port);
    const auto record = plain<Record>(elements);
    if (record.empty()) vlan = {};
    vlan.parent = text_part(record, "parent");
    vlan.id = static_cast<std::uint16_t>(number_part(record, "id"));
}

/// What is no VLAN has no map.
template <auto Map>
Got get_map(const Port& port) {
    if (!port.vlan) return std::nullopt;
    if (port.vlan->parent.empty() && ((*port.vlan).*Map).empty()) return std::nullopt;
    Elements elements;
    for (const auto& [from, to] : (*port.vlan).*Map)
        elements.emplace(std::to_string(from), std::uint64_t{to});
    return elements;
}

template <auto Map>
void set_map(Port& port, const Elements& elements) {
    auto& map = part_of<&Port::vlan>(port).*Map;
    using Pairs = std::remove_reference_t<decltype(map)>;
    map.clear();
    for (const auto& [from, to] : elements)
        map.emplace(static_cast<typename Pairs::key_type>(std::strtoul(from.c_str(), nullptr, 10)),
                    static_cast<typename Pairs::mapped_type>(std::get<std::uint64_t>(to)));
}

using enum Shape::Kind;
using Text = Shape::Text;

constexpr std::array kLinkParts = {
    RecordPart{.name = "parent",
               .shape = {.kind = text, .text = Text::name, .names = Shape::Names::port},
               .doc = "Port below.",
               .required = true},
    RecordPart{.name = "id",
               .shape = {.kind = number, .min = 1, .max = 4094},
               .doc = "VLAN id.",
               .required = true},
};

constexpr std::array kFields = {
    kept("vlan_link", {.kind = record, .parts = kLinkParts},
         "The port is a VLAN child of another one; stated as vlans in the entry of that one.",
         get_link, set_link),
    setting("egress_priority", {.kind = map, .min = 1, .max = 7, .key_max = kU32},
            "PCP (IEEE 802.1Q 6.9.3) that packets of each priority leave a VLAN with; 0 where not "
            "mapped.",
            get_map<&Vlan::egress>, set_map<&Vlan::egress>),
    setting("ingress_priority", {.kind = map, .min = 1, .max = kU32, .key_max = 7},
            "Priority that packets get by the PCP they enter a VLAN with; 0 where not mapped.",
            get_map<&Vlan::ingress>, set_map<&Vlan::ingress>),
};

bool is_there(const Vlan& vlan) {
    return !vlan.parent.empty();
}

bool same_link(const Vlan& left, const Vlan& right) {
    return left.parent == right.parent && left.id == right.id;
}

/// A VLAN that was just made (net/8021q/vlan_dev.c vlan_dev_init, net/core/rtnetlink.c
/// rtnl_create_link): down, nothing on it. MTU and hardware address are its parent's
/// (vlan_netlink.c vlan_newlink); how it behaves for IP follows from the host's defaults, which
/// were read for it.
void make(Port& port, const Vlan& vlan, const Port& parent) {
    Port made(port.name);
    made.ipv4 = port.ipv4;
    made.ipv6 = port.ipv6;
    port = std::move(made);
    port.vlan = vlan;
    port.device = Device{.driver = "802.1Q VLAN Support", .firmware = "N/A"};
    port.link = Link{.mac = parent.link->mac,
                     .kind = "vlan",
                     .lower = vlan.parent,
                     .vlan = vlan.id,
                     .mtu = parent.link->mtu,
                     .mtu_max = 65535};  // ETH_MAX_MTU, vlan_dev.c vlan_setup
    port.addresses.emplace();
    port.routes.emplace();
    port.neighbours.emplace();
}

Refused clashes(const State& state, const Port& now, const Port& then) {
    if (!is_there(*then.vlan) || same_link(*now.vlan, *then.vlan)) return std::nullopt;
    constexpr std::size_t name_max = 15;  // IFNAMSIZ
    if (now.name.size() > name_max)
        return Refusal{.code = ERANGE, .text = "the name is longer than 15 characters"};
    // net/core/rtnetlink.c rtnl_newlink: the name is another device's, or another VLAN's.
    if (now.link) return Refusal{.code = EEXIST, .text = "File exists"};
    const Port* parent = find_port(state, then.vlan->parent);
    if (parent == nullptr || !parent->link)
        return Refusal{.code = ENODEV, .text = "No such device"};
    for (const Port& other : state.ports)
        if (other.vlan && same_link(*other.vlan, *then.vlan))
            return Refusal{.code = EEXIST, .text = "VLAN device already exists: " + other.name};
    return std::nullopt;
}

Played play(const Driver& /*driver*/, State& state, Port& now, const Port& then) {
    if (const Refused no = clashes(state, now, then)) return *no;
    if (!is_there(*then.vlan)) {
        now = Port(now.name);
        now.vlan.emplace();
        now.bond.emplace();
    } else if (!is_there(*now.vlan)) {
        make(now, *then.vlan, *find_port(state, then.vlan->parent));
    } else {
        now.vlan = then.vlan;
    }
    return std::nullopt;
}

template <typename Map>
std::string spell_map(std::string_view name, const Map& now, const Map& then) {
    std::string out;
    for (const auto& [from, to] : now)
        if (!then.contains(from)) out += " " + std::to_string(from) + ":0";
    for (const auto& [from, to] : then)
        if (const auto old = now.find(from); old == now.end() || old->second != to)
            out += " " + std::to_string(from) + ":" + std::to_string(to);
    return out.empty() ? out : " " + std::string(name) + out;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    if (!is_there(*then.vlan)) return {"ip link delete dev " + shell(now.name)};
    std::string line = "ip link ";
    if (!is_there(*now.vlan))
        line += "add link " + shell(then.vlan->parent) + " name " + shell(now.name) +
                " type vlan id " + std::to_string(then.vlan->id);
    else
        line += "set dev " + shell(now.name) + " type vlan";
    line += spell_map("ingress-qos-map", now.vlan->ingress, then.vlan->ingress);
    line += spell_map("egress-qos-map", now.vlan->egress, then.vlan->egress);
    return {line};
}

constexpr std::array kTouches = {Object::ipv4,      Object::ipv6,   Object::link,
                                 Object::addresses, Object::routes, Object::neighbours};

constexpr std::array kAtBoot = {
    AtBoot{"egress_priority", BootProgram::network_manager, "vlan.egress-priority-map", false},
    AtBoot{"ingress_priority", BootProgram::network_manager, "vlan.ingress-priority-map", false},
};

}  // namespace

constinit const ObjectRow row = {.object = Object::vlan,
                                 .name = "vlan",
                                 .doc = "That the port is a VLAN child, and its priorities.",
                                 .topic = Topic::vlan,
                                 .child_states = true,
                                 .sees_others = true,
                                 .fields = kFields,
                                 .play = play,
                                 .lifecycle = {.unmade = [](Port& port) { port.vlan.emplace(); }},
                                 .order = {.touches = kTouches},
                                 .chosen_by = {.others = Others::network_daemon},
                                 .words = {.spell = spell},
                                 .boot = {.programs = kAtBoot}};

}  // namespace core::vlan

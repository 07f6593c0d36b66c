// SPDX-License-Identifier: Apache-2.0
#include "core/objects/link/parts.hpp"

#include <cerrno>
#include <iterator>

#include "core/model/access.hpp"
#include "core/model/shell.hpp"
#include "core/objects/rows.hpp"

namespace core::bond {

namespace {

bool is_there(const Bond& bond) {
    return !bond.mode.empty();
}

/// What is there and no bond has no mode at all; what is not there is known to have none.
Got get_mode(const Port& port) {
    if (!port.bond) return std::nullopt;
    if (is_there(*port.bond)) return one(port.bond->mode);
    return port.link ? std::nullopt : Got(Elements{});
}

/// The rest is a bond's alone.
Got get_hash_policy(const Port& port) {
    if (!port.bond || port.bond->xmit_hash_policy.empty()) return std::nullopt;
    return one(port.bond->xmit_hash_policy);
}

/// Other modes keep the rate and never use it, and it cannot be changed in them.
Got get_lacp_rate(const Port& port) {
    if (!port.bond || port.bond->lacp_rate.empty()) return std::nullopt;
    if (is_there(*port.bond) && port.bond->mode != kLacp) return std::nullopt;
    return one(port.bond->lacp_rate);
}

Got get_miimon(const Port& port) {
    if (!port.bond || (!is_there(*port.bond) && port.bond->miimon == 0)) return std::nullopt;
    return get_number<&Port::bond, &Bond::miimon>(port);
}

Got get_arp_interval(const Port& port) {
    if (!port.bond || port.bond->arp_interval == 0) return std::nullopt;
    return get_number<&Port::bond, &Bond::arp_interval>(port);
}

using enum Shape::Kind;

constexpr std::uint64_t kMostMiimon = 0x7fffffff;  // bond_intmax_tbl

constexpr std::array kFields = {
    setting("bond.mode", {.kind = word, .words = kModes},
            "How the members of a bond share the traffic; a change takes the bond apart for a "
            "moment.",
            get_mode, set_text<&Port::bond, &Bond::mode>),
    setting("bond.xmit_hash_policy", {.kind = word, .words = kHashPolicies},
            "What of a packet decides by which member it leaves; with layer2 all RoCE traffic to "
            "one router takes one member.",
            get_hash_policy, set_text<&Port::bond, &Bond::xmit_hash_policy>),
    setting("bond.lacp_rate", {.kind = word, .words = kLacpRates},
            "How often the switch is asked to send LACP: slow is every 30 s, fast every second. Of "
            "mode 802.3ad.",
            get_lacp_rate, set_text<&Port::bond, &Bond::lacp_rate>),
    setting("bond.miimon", {.kind = number, .max = kMostMiimon},
            "Milliseconds after which the members' links are looked at again; with 0 a member that "
            "lost its link is not left.",
            get_miimon, set_number<&Port::bond, &Bond::miimon>),
    beyond(
        "bond.arp_interval", {.kind = number, .min = 1, .max = kMostMiimon},
        "Milliseconds after which the members are asked by ARP whether they still reach what they "
        "should, in place of miimon.",
        get_arp_interval, set_number<&Port::bond, &Bond::arp_interval>),
};

/// Whether the mode has no other way to watch members (drivers/net/bonding/bond_main.c
/// bond_mode_uses_arp).
bool needs_miimon(const std::string& mode) {
    return mode == kLacp || mode == "balance-tlb" || mode == "balance-alb";
}

/// What a change of mode brings (bond_options.c bond_option_mode_set, BOND_DEFAULT_MIIMON).
Bond with_mode(Bond then, const Bond& now) {
    constexpr std::uint32_t default_miimon = 100;
    const bool left = then.miimon == now.miimon && then.miimon == 0;
    if (then.mode != now.mode && needs_miimon(then.mode) && left) then.miimon = default_miimon;
    // bond_option_miimon_set takes the one for the end of the other.
    if (then.miimon != now.miimon || needs_miimon(then.mode)) then.arp_interval = 0;
    return then;
}

/// A bond that was just made (bond_main.c bond_setup and bond_init): down, without members, with
/// the module's defaults.
void make(const State& state, Port& port, Bond bond) {
    if (bond.xmit_hash_policy.empty()) bond.xmit_hash_policy = kHashPolicies[0];
    if (bond.lacp_rate.empty()) bond.lacp_rate = kLacpRates[0];
    Port made(port.name);
    made.ipv4 = port.ipv4;
    made.ipv6 = port.ipv6;
    made.vlan.emplace();
    made.bond = with_mode(std::move(bond), {});
    made.bond_members.emplace();
    made.device = Device{.driver = "bonding", .firmware = "2"};  // BOND_ABI_VERSION
    made.link = Link{.kind = "bond", .mtu = 1500, .mtu_min = 68, .mtu_max = 65535};
    made.addresses.emplace();
    made.routes.emplace();
    made.neighbours.emplace();
    for (const Port& other : state.ports)
        if (other.rdma_link && other.link) made.rdma_link.emplace();
    port = std::move(made);
}

Refused clashes(const State& state, const Port& now, const Bond& then) {
    constexpr std::size_t name_max = 15;  // IFNAMSIZ
    if (!is_there(then)) {
        for (const Port& other : state.ports)
            if (other.vlan && other.vlan->parent == now.name)
                return Refusal{.code = EBUSY,
                               .text = "the VLAN " + other.name + " is on it, and would go too"};
        return std::nullopt;
    }
    if (!is_there(*now.bond) && now.link) return Refusal{.code = EEXIST, .text = "File exists"};
    if (now.name.size() > name_max)
        return Refusal{.code = ERANGE, .text = "the name is longer than 15 characters"};
    // bond_options.c bond_opt_check_deps: unsuppmodes of lacp_rate
    if (then.mode != kLacp && !now.bond->lacp_rate.empty() && then.lacp_rate != now.bond->lacp_rate)
        return Refusal{.code = EACCES, .text = "only mode 802.3ad has lacp_rate"};
    return std::nullopt;
}

Played change(State& state, Port& now, const Bond& then) {
    const Bond before = *now.bond;
    std::vector<Port> touched;
    now.bond = with_mode(then, before);
    if (needs_down(before, then)) link::reopen(now);
    if (needs_no_members(before, then)) touched = bond_members::rejoin(state, now);
    return Played(std::move(touched));
}

Played play(const Driver& /*driver*/, State& state, Port& now, const Port& then) {
    if (const Refused no = clashes(state, now, *then.bond)) return *no;
    if (is_there(*then.bond) && is_there(*now.bond)) return change(state, now, *then.bond);
    std::vector<Port> touched;
    if (is_there(*then.bond)) {
        make(state, now, *then.bond);
    } else {
        touched = bond_members::release_all(state, now);
        now = Port(now.name);
        now.vlan.emplace();
        now.bond.emplace();
    }
    return Played(std::move(touched));
}

std::string spell_options(const Bond& now, const Bond& then) {
    std::string out;
    if (now.mode != then.mode) out += " mode " + shell(then.mode);
    if (now.miimon != then.miimon) out += " miimon " + std::to_string(then.miimon);
    if (now.xmit_hash_policy != then.xmit_hash_policy)
        out += " xmit_hash_policy " + shell(then.xmit_hash_policy);
    if (now.lacp_rate != then.lacp_rate) out += " lacp_rate " + shell(then.lacp_rate);
    return out;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    const std::string options = spell_options(*now.bond, *then.bond);
    if (!is_there(*then.bond)) return {"ip link delete dev " + shell(now.name)};
    if (!is_there(*now.bond)) return {"ip link add " + shell(now.name) + " type bond" + options};
    const bool shut = needs_down(*now.bond, *then.bond) && now.link && now.link->up;
    const bool apart = needs_no_members(*now.bond, *then.bond);
    const auto members = apart ? now.bond_members.value_or(BondMembers{}) : BondMembers{};
    Commands lines;
    if (shut) lines.push_back("ip link set dev " + shell(now.name) + " down");
    for (const std::string& name : members)
        lines.push_back("ip link set dev " + shell(name) + " nomaster");
    lines.push_back("ip link set dev " + shell(now.name) + " type bond" + options);
    for (const std::string& name : members)
        lines.push_back("ip link set dev " + shell(name) + " master " + shell(now.name));
    if (shut) lines.push_back("ip link set dev " + shell(now.name) + " up");
    return lines;
}

std::optional<Unsupported> unsupported(const Driver& /*driver*/, const Port& port,
                                       std::string_view key) {
    if (!port.link) return std::nullopt;
    if (port.link->kind != "bond")
        return Unsupported{.text = "the port is there, and is no bond",
                           .remedy = "a name that is free, or that of a bond"};
    if (key == "bond.lacp_rate")
        return Unsupported{.text = "only mode 802.3ad has lacp_rate",
                           .remedy = "bond.mode 802.3ad"};
    return std::nullopt;
}

constexpr std::array kTouches = {Object::ipv4,      Object::ipv6,         Object::vlan,
                                 Object::link,      Object::bond_members, Object::rdma_link,
                                 Object::addresses, Object::routes,       Object::neighbours};
constexpr std::array<std::string_view, 2> kTakesDown = {"bond.mode", "bond.lacp_rate"};

constexpr std::array kAtBoot = {
    AtBoot{"bond.*", BootProgram::network_manager, "bond.*", false},
};

}  // namespace

bool needs_no_members(const Bond& now, const Bond& then) {
    return now.mode != then.mode;
}

bool needs_down(const Bond& now, const Bond& then) {
    return now.mode != then.mode || now.lacp_rate != then.lacp_rate;
}

constinit const ObjectRow row = {
    .object = Object::bond,
    .name = "bond",
    .doc = "That the port is a bond, and how it shares traffic among its members.",
    .topic = Topic::vlan,
    .of_members = "bond.mode",
    .sees_others = true,
    .fields = kFields,
    .unsupported = unsupported,
    .play = play,
    .lifecycle = {.unmade = [](Port& port) { port.bond.emplace(); }},
    .order = {.takes_down = kTakesDown, .touches = kTouches},
    .chosen_by = {.others = Others::network_daemon},
    .words = {.spell = spell},
    .boot = {.programs = kAtBoot}};

}  // namespace core::bond

// SPDX-License-Identifier: Apache-2.0
#include "core/objects/ip/parts.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include "core/model/access.hpp"
#include "core/model/shell.hpp"
#include "core/objects/ip/records.hpp"
#include "core/objects/rows.hpp"

namespace core {

std::optional<Refusal> not_made_yet(const Port& now) {
    if (now.link || (!now.vlan && !now.bond)) return std::nullopt;
    return Refusal{.code = ENODEV, .text = "No such device"};
}

std::string spell_write(const Port& port, std::string_view family, std::string_view name,
                        std::int64_t value) {
    const char part = port.name.find('.') == std::string::npos ? '.' : '/';
    std::string line = "net";
    for (const std::string_view word :
         {family, std::string_view("conf"), std::string_view(port.name), name})
        line += part + std::string(word);
    return "sysctl -w " + shell(line + '=' + std::to_string(value));
}

}  // namespace core

namespace core::ipv4 {

namespace {

/// One below 0, which means nothing to the kernel, is reported as its 32 bits: no setting has that
/// value, and a way back writes what was there.
std::uint64_t reported(std::int32_t number) {
    return static_cast<std::uint32_t>(number);
}

std::int32_t held(const Elements& elements) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(plain<std::uint64_t>(elements)));
}

template <auto Member>
Got get_in_force(const Port& port) {
    if (!port.ipv4) return std::nullopt;
    return one(reported(((*port.ipv4).*Member).in_force()));
}

/// Less than the host's own value is asked of the host: no port can have it.
template <auto Member>
void set_in_force(Port& port, const Elements& elements) {
    Joint& joint = part_of<&Port::ipv4>(port).*Member;
    const std::int32_t desired = held(elements);
    if (desired == joint.in_force()) return;
    joint.own = desired;
    joint.all = std::min(joint.all, desired);
}

template <auto Member>
Got get_own(const Port& port) {
    if (!port.ipv4) return std::nullopt;
    return one(reported(((*port.ipv4).*Member).own));
}

template <auto Member>
void set_own(Port& port, const Elements& elements) {
    (part_of<&Port::ipv4>(port).*Member).own = held(elements);
}

template <auto Member>
Got get_all(const Port& port) {
    if (!port.ipv4) return std::nullopt;
    return one(reported(((*port.ipv4).*Member).all));
}

template <auto Member>
void set_all(Port& port, const Elements& elements) {
    (part_of<&Port::ipv4>(port).*Member).all = held(elements);
}

bool accepts_local(const Port& port) {
    const Joint& joint = port.ipv4->accept_local;
    return joint.own != 0 || joint.all != 0;
}

Got get_accept_local(const Port& port) {
    if (!port.ipv4) return std::nullopt;
    return one(accepts_local(port));
}

void set_accept_local(Port& port, const Elements& elements) {
    part_of<&Port::ipv4>(port);
    if (plain<bool>(elements) == accepts_local(port)) return;
    set_in_force<&Ipv4::accept_local>(port, one(std::uint64_t{plain<bool>(elements)}));
}

using enum Shape::Kind;

template <auto Member>
constexpr Field own(std::string_view key, std::string_view doc) {
    return kept(key, {.kind = number, .max = kU32}, doc, get_own<Member>, set_own<Member>);
}

template <auto Member>
constexpr Field all(std::string_view key, std::string_view doc) {
    return fact(key, {.kind = number, .max = kU32}, doc, get_all<Member>, set_all<Member>);
}

constexpr std::array kFields = {
    setting(
        "ip.arp_ignore", {.kind = number, .max = 8},
        "For which addresses the port answers ARP, the larger of its own and the host's value; 1 "
        "is its own alone.",
        get_in_force<&Ipv4::arp_ignore>, set_in_force<&Ipv4::arp_ignore>),
    setting(
        "ip.arp_announce", {.kind = number, .max = 2},
        "Which source address ARP requests name, the larger of the port's and the host's value; "
        "2 is the best one of the port.",
        get_in_force<&Ipv4::arp_announce>, set_in_force<&Ipv4::arp_announce>),
    setting(
        "ip.rp_filter", {.kind = number, .max = 2},
        "Reverse path filter, the larger of the port's and the host's value: 0 off, 1 strict, 2 "
        "loose.",
        get_in_force<&Ipv4::rp_filter>, set_in_force<&Ipv4::rp_filter>),
    setting("ip.accept_local", {.kind = flag},
            "The port takes packets from addresses of this host; on if the port's or the host's "
            "value is.",
            get_accept_local, set_accept_local),
    own<&Ipv4::arp_ignore>("ip.own.arp_ignore", "The port's own value of ip.arp_ignore."),
    own<&Ipv4::arp_announce>("ip.own.arp_announce", "The port's own value of ip.arp_announce."),
    own<&Ipv4::rp_filter>("ip.own.rp_filter", "The port's own value of ip.rp_filter."),
    own<&Ipv4::accept_local>("ip.own.accept_local", "The port's own value of ip.accept_local."),
    all<&Ipv4::arp_ignore>("ip.all.arp_ignore", "The host's value of ip.arp_ignore."),
    all<&Ipv4::arp_announce>("ip.all.arp_announce", "The host's value of ip.arp_announce."),
    all<&Ipv4::rp_filter>("ip.all.rp_filter", "The host's value of ip.rp_filter."),
    all<&Ipv4::accept_local>("ip.all.accept_local", "The host's value of ip.accept_local."),
};

Reason refuses(const Driver& /*driver*/, const Port& now, const Port& then) {
    for (const JointFile& file : kJointFiles) {
        const Joint& have = (*now.ipv4).*file.value;
        if (((*then.ipv4).*file.value).all == have.all) continue;
        return "net.ipv4.conf.all." + std::string(file.name) + " is " + std::to_string(have.all) +
               ", and the larger of the host's and the port's value counts";
    }
    return std::nullopt;
}

Played play(const Driver& driver, State& /*state*/, Port& now, const Port& then) {
    if (const Refused no = not_made_yet(now)) return *no;
    if (const Reason reason = refuses(driver, now, then))
        return Refusal{.code = 0, .text = *reason};
    now.ipv4 = then.ipv4;
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    Commands lines;
    for (const JointFile& file : kJointFiles)
        if (((*then.ipv4).*file.value).own != ((*now.ipv4).*file.value).own)
            lines.push_back(spell_write(now, "ipv4", file.name, ((*then.ipv4).*file.value).own));
    return lines;
}

/// What the kernel gives new ports where nobody told it otherwise (net/ipv4/devinet.c
/// inetdev_init).
void preset(const Port& other, Port& made) {
    if (!other.ipv4) return;
    made.ipv4 = other.ipv4;
    for (const JointFile& file : kJointFiles)
        ((*made.ipv4).*file.value).own = 0;
}

// A port that appears after systemd-sysctl ran has the host's default, one that was there before
// has none of it.
constexpr std::array kAtBoot = {
    AtBoot{"ip.arp_ignore", BootProgram::sysctl, "net/ipv4/conf/default/arp_ignore", true, true},
    AtBoot{"ip.arp_ignore", BootProgram::sysctl, "net/ipv4/conf/all/arp_ignore", true, true},
    AtBoot{"ip.arp_ignore", BootProgram::sysctl, "net/ipv4/conf/$port/arp_ignore", true, true},
    AtBoot{"ip.arp_announce", BootProgram::sysctl, "net/ipv4/conf/default/arp_announce", true,
           true},
    AtBoot{"ip.arp_announce", BootProgram::sysctl, "net/ipv4/conf/all/arp_announce", true, true},
    AtBoot{"ip.arp_announce", BootProgram::sysctl, "net/ipv4/conf/$port/arp_announce", true, true},
    AtBoot{"ip.rp_filter", BootProgram::sysctl, "net/ipv4/conf/default/rp_filter", true, true},
    AtBoot{"ip.rp_filter", BootProgram::sysctl, "net/ipv4/conf/all/rp_filter", true, true},
    AtBoot{"ip.rp_filter", BootProgram::sysctl, "net/ipv4/conf/$port/rp_filter", true, true},
    AtBoot{"ip.accept_local", BootProgram::sysctl, "net/ipv4/conf/default/accept_local", true,
           true},
    AtBoot{"ip.accept_local", BootProgram::sysctl, "net/ipv4/conf/all/accept_local", true, true},
    AtBoot{"ip.accept_local", BootProgram::sysctl, "net/ipv4/conf/$port/accept_local", true, true},
    AtBoot{"ip.accept_local", BootProgram::networkd, "Network.IPv4AcceptLocal", false},
    AtBoot{"ip.rp_filter", BootProgram::networkd, "Network.IPv4ReversePathFilter", false},
};

}  // namespace

constinit const ObjectRow row = {
    .object = Object::ipv4,
    .name = "ipv4",
    .doc = "IPv4 behaviour of the port: ARP and where packets may come from.",
    .topic = Topic::ip,
    .child_states = true,
    .fields = kFields,
    .alike = true,
    .refuses = refuses,
    .play = play,
    .lifecycle = {.preset = preset},
    .words = {.spell = spell},
    .boot = {.programs = kAtBoot}};

}  // namespace core::ipv4

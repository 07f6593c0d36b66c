// SPDX-License-Identifier: Apache-2.0
#include "core/objects/ip/parts.hpp"

#include <algorithm>
#include <array>

#include "core/model/access.hpp"
#include "core/objects/ip/records.hpp"
#include "core/objects/rows.hpp"

namespace core::ipv6 {

namespace {

constexpr std::array<std::string_view, 4> kAddressModes = {"eui64", "none", "stable_secret",
                                                           "random"};

Got get_address_mode(const Port& port) {
    if (!port.ipv6) return std::nullopt;
    return one(std::string(kAddressModes.at(port.ipv6->addr_gen_mode % kAddressModes.size())));
}

void set_address_mode(Port& port, const Elements& elements) {
    const auto found = std::ranges::find(kAddressModes, plain<std::string>(elements));
    part_of<&Port::ipv6>(port).addr_gen_mode =
        static_cast<std::uint8_t>(found - kAddressModes.begin());
}

using enum Shape::Kind;

constexpr std::array kFields = {
    setting("ip.addr_gen_mode", {.kind = word, .words = kAddressModes},
            "How the kernel makes the port's IPv6 addresses, and with them GIDs.", get_address_mode,
            set_address_mode),
};

/// Link-local addresses that are there stay; those to come are made in the new way
/// (net/ipv6/addrconf.c addrconf_sysctl_addr_gen_mode).
Played play(const Driver& /*driver*/, State& /*state*/, Port& now, const Port& then) {
    if (const Refused no = not_made_yet(now)) return *no;
    now.ipv6 = then.ipv6;
    return std::nullopt;
}

/// A link-local address made in the new way comes beside those that are there, and stays
/// (net/ipv6/addrconf.c addrconf_sysctl_addr_gen_mode, addrconf_init_auto_addrs).
std::vector<std::string> lost_for_good(const Port& /*was*/, const Port& before, const Port& after) {
    if (!before.ipv6 || !after.ipv6 || *before.ipv6 == *after.ipv6) return {};
    constexpr std::uint8_t none = 1;  // IN6_ADDR_GEN_MODE_NONE
    if (after.ipv6->addr_gen_mode == none || (after.link && !after.link->up)) return {};
    return {"the kernel makes a link-local address in the new way, which stays"};
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    return {spell_write(now, "ipv6", "addr_gen_mode", then.ipv6->addr_gen_mode)};
}

/// The same (net/ipv6/addrconf.c ipv6_add_dev).
void preset(const Port& other, Port& made) {
    if (other.ipv6) made.ipv6.emplace();
}

/// As kAddressModes are numbered in the kernel.
std::string_view mode_of(std::string_view number) {
    for (std::size_t i = 0; i < kAddressModes.size(); ++i)
        if (number == std::to_string(i)) return kAddressModes.at(i);
    return number;
}

// systemd-networkd and NetworkManager set it of every port that they have.
constexpr std::array kAtBoot = {
    AtBoot{"ip.addr_gen_mode", BootProgram::sysctl, "net/ipv6/conf/$port/addr_gen_mode", true,
           false, mode_of},
    AtBoot{"ip.addr_gen_mode", BootProgram::networkd, "up", false},
    AtBoot{"ip.addr_gen_mode", BootProgram::network_manager, "up", false},
};

}  // namespace

constinit const ObjectRow row = {.object = Object::ipv6,
                                 .name = "ipv6",
                                 .doc = "IPv6 behaviour of the port: how its addresses are made.",
                                 .topic = Topic::ip,
                                 .child_states = true,
                                 .fields = kFields,
                                 .play = play,
                                 .lifecycle = {.preset = preset, .lost_for_good = lost_for_good},
                                 .chosen_by = {.others = Others::network_daemon},
                                 .words = {.spell = spell},
                                 .boot = {.programs = kAtBoot}};

}  // namespace core::ipv6

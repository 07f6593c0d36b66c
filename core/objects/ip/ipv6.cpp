// SPDX-License-Identifier: Apache-2.0
#include "core/objects/ip/ip_conf.hpp"
#include "core/objects/rows.hpp"

namespace core {
namespace {

/// Link-local addresses that are there stay; those to come are made in the new way
/// (net/ipv6/addrconf.c addrconf_sysctl_addr_gen_mode).
Played play(const Driver& /*driver*/, Port& now, const Port& then) {
    now.ipv6 = then.ipv6;
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    return {spell_write(now, "ipv6", "addr_gen_mode", then.ipv6->addr_gen_mode)};
}

}  // namespace

constinit const ObjectRow ipv6_row = {
    .object = Object::ipv6,
    .name = "ipv6",
    .doc = "IPv6 behaviour of the port: how its addresses are made.",
    .copy = copy<&Port::ipv6>,
    .clashes = not_made_yet,
    .play = play,
    .spell = spell};

}  // namespace core

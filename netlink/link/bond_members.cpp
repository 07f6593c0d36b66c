// SPDX-License-Identifier: Apache-2.0
#include "netlink/link/codecs.hpp"

#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include <cerrno>

namespace netlink {
namespace {

void set_master(Machine& machine, std::uint32_t index, std::uint32_t master) {
    Message request(RTM_NEWLINK);
    ifinfomsg header{};
    header.ifi_family = AF_UNSPEC;
    header.ifi_index = static_cast<int>(index);
    request.put_header(header);
    request.put(IFLA_MASTER, master);
    machine.route().change(request);
}

}  // namespace

core::BondMembers members_of(Machine& machine, std::uint32_t bond) {
    Message request(RTM_GETLINK);
    ifinfomsg header{};
    header.ifi_family = AF_UNSPEC;
    request.put_header(header);
    request.put(IFLA_EXT_MASK, std::uint32_t{RTEXT_FILTER_SKIP_STATS});
    request.put(IFLA_MASTER, bond);
    const auto names = machine.route().dump<std::string>(
        request, [bond](const Reply& reply) -> std::optional<std::string> {
            const auto answer = decode_link(reply.payload);
            if (!answer || answer->master != bond) return std::nullopt;
            return answer->name;
        });
    return {names.begin(), names.end()};
}

/// Only what is down is taken, and the bond opens it (drivers/net/bonding/bond_main.c
/// bond_enslave). What is refused is as up as it was.
void join_bond(Machine& machine, const std::string& port, std::uint32_t bond) {
    const LinkAnswer member = link_called(machine, port);
    if (member.link.up) open_link(machine, member.link.index, false);
    try {
        set_master(machine, member.link.index, bond);
    } catch (const KernelError&) {
        if (member.link.up) open_link(machine, member.link.index, true);
        throw;
    }
}

void leave_bond(Machine& machine, const std::string& port) {
    set_master(machine, index_of(machine, port), 0);
}

void write_bond_members(Machine& machine, const core::Port& now, const core::Port& then) {
    if (!now.bond_members || !then.bond_members || !now.link) throw KernelError(ENODEV);
    for (const std::string& name : *now.bond_members)
        if (!then.bond_members->contains(name)) leave_bond(machine, name);
    for (const std::string& name : *then.bond_members)
        if (!now.bond_members->contains(name)) join_bond(machine, name, now.link->index);
}

}  // namespace netlink

// SPDX-License-Identifier: Apache-2.0
#include "netlink/link/codecs.hpp"

#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include <algorithm>
#include <cerrno>

namespace netlink {
namespace {

template <typename Words>
std::string word_at(const Words& words, std::optional<std::uint8_t> number) {
    if (!number) return {};
    return *number < words.size() ? std::string(words.at(*number)) : std::to_string(*number);
}

template <typename Words>
std::uint8_t number_of(const Words& words, const std::string& word) {
    const auto found = std::ranges::find(words, word);
    if (found == words.end()) throw KernelError(EINVAL, word);
    return static_cast<std::uint8_t>(found - words.begin());
}

/// In the order in which the kernel takes them (drivers/net/bonding/bond_netlink.c
/// bond_changelink).
void put_options(Message& request, const core::Bond& now, const core::Bond& then) {
    if (now.mode != then.mode)
        request.put(IFLA_BOND_MODE, number_of(core::bond::kModes, then.mode));
    if (now.miimon != then.miimon) request.put(IFLA_BOND_MIIMON, then.miimon);
    if (now.xmit_hash_policy != then.xmit_hash_policy)
        request.put(IFLA_BOND_XMIT_HASH_POLICY,
                    number_of(core::bond::kHashPolicies, then.xmit_hash_policy));
    if (now.lacp_rate != then.lacp_rate)
        request.put(IFLA_BOND_AD_LACP_RATE, number_of(core::bond::kLacpRates, then.lacp_rate));
}

Message change_of_link(int flags, std::uint32_t index) {
    Message request(RTM_NEWLINK, flags);
    ifinfomsg header{};
    header.ifi_family = AF_UNSPEC;
    header.ifi_index = static_cast<int>(index);
    request.put_header(header);
    return request;
}

void send_options(Machine& machine, Message& request, const core::Bond& now,
                  const core::Bond& then) {
    request.nest(IFLA_LINKINFO, [&] {
        request.put_text(IFLA_INFO_KIND, "bond");
        request.nest(IFLA_INFO_DATA, [&] { put_options(request, now, then); });
    });
    machine.route().change(request);
}

void create(Machine& machine, const core::Port& now, const core::Bond& then) {
    Message request = change_of_link(NLM_F_CREATE | NLM_F_EXCL, 0);
    request.put_text(IFLA_IFNAME, now.name);
    send_options(machine, request, {}, then);
}

/// The module makes bonds of its own when the kernel loads it for the first of ours, one called
/// bond0 where nothing says otherwise (bond_main.c max_bonds).
void make(Machine& machine, const core::Port& now, const core::Bond& then) {
    const bool loaded = exists(machine.file("/sys/module/bonding"));
    try {
        create(machine, now, then);
    } catch (const KernelError& error) {
        if (error.code != EEXIST || loaded) throw;
        remove_link(machine, index_of(machine, now.name));
        create(machine, now, then);
    }
}

void change(Machine& machine, const core::Port& now, const core::Bond& then) {
    const std::uint32_t index = now.link->index;
    const bool shut = core::bond::needs_down(*now.bond, then) && now.link->up;
    const bool apart = core::bond::needs_no_members(*now.bond, then);
    const auto members =
        apart ? now.bond_members.value_or(core::BondMembers{}) : core::BondMembers{};
    if (shut) open_link(machine, index, false);
    for (const std::string& name : members)
        leave_bond(machine, name);
    Message request = change_of_link(0, index);
    send_options(machine, request, *now.bond, then);
    for (const std::string& name : members)
        join_bond(machine, name, index);
    if (shut) open_link(machine, index, true);
}

}  // namespace

core::Bond decode_bond(const Attributes& data) {
    return {.mode = word_at(core::bond::kModes, data.value<std::uint8_t>(IFLA_BOND_MODE)),
            .xmit_hash_policy = word_at(core::bond::kHashPolicies,
                                        data.value<std::uint8_t>(IFLA_BOND_XMIT_HASH_POLICY)),
            .lacp_rate =
                word_at(core::bond::kLacpRates, data.value<std::uint8_t>(IFLA_BOND_AD_LACP_RATE)),
            .miimon = data.value<std::uint32_t>(IFLA_BOND_MIIMON).value_or(0),
            .arp_interval = data.value<std::uint32_t>(IFLA_BOND_ARP_INTERVAL).value_or(0)};
}

void write_bond(Machine& machine, const core::Port& now, const core::Port& then) {
    if (!now.bond || !then.bond) throw KernelError(ENODEV);
    if (then.bond->mode.empty()) {
        if (now.link) remove_link(machine, now.link->index);
    } else if (now.bond->mode.empty()) {
        make(machine, now, *then.bond);
    } else {
        change(machine, now, *then.bond);
    }
}

}  // namespace netlink

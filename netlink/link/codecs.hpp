// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "netlink/transport/machine.hpp"

namespace netlink {

/// An RTM_NEWLINK message. Other links are known by index only.
struct LinkAnswer {
    std::string name;
    core::Link link;
    core::Vlan vlan{};  ///< without its parent; empty: no VLAN
    std::optional<core::Bond> bond{};
    std::uint32_t master = 0;
    std::uint32_t lower = 0;  ///< 0 also where it is in another network namespace
    bool operator==(const LinkAnswer&) const = default;
};

std::optional<LinkAnswer> decode_link(Bytes payload);
/// The request that changes a link from `now` to `then`.
Message encode_link(const core::Link& now, const core::Link& then);

/// The link, or its index. Throws KernelError (ENODEV) where there is none of the name.
LinkAnswer link_called(Machine& machine, const std::string& name);
std::uint32_t index_of(Machine& machine, const std::string& name);
void remove_link(Machine& machine, std::uint32_t index);
/// Takes the link up or down.
void open_link(Machine& machine, std::uint32_t index, bool up);

/// A hardware address as ip(8) prints it: `02:00:00:00:00:01`.
std::string mac_text(Bytes bytes);

/// The ports of a scope with their link part: one request for each where all are exact names, but
/// for those that are known (Scope::known), else one dump, without statistics.
std::vector<core::Port> read_links(Machine& machine,
                                   const std::optional<std::vector<std::string>>& ports,
                                   const core::State* known = nullptr);

/// Whether a scope's patterns (fnmatch(3)) name the port; all ports where there are none.
bool in_scope(const std::optional<std::vector<std::string>>& patterns, const std::string& port);

void write_link(Machine& machine, const core::Port& now, const core::Port& then);

/// The bond that IFLA_INFO_DATA of a link message describes.
core::Bond decode_bond(const Attributes& data);

/// Creates, changes or removes the bond. For a change the members are detached meanwhile where the
/// kernel requires that.
void write_bond(Machine& machine, const core::Port& now, const core::Port& then);

/// The names of the links that have this one as their master.
core::BondMembers members_of(Machine& machine, std::uint32_t bond);

void join_bond(Machine& machine, const std::string& port, std::uint32_t bond);
void leave_bond(Machine& machine, const std::string& port);

/// Takes ports out of the bond and into it.
void write_bond_members(Machine& machine, const core::Port& now, const core::Port& then);

/// What an RTM_NEWLINK message that was asked for them says of virtual functions, by their number.
std::map<std::uint32_t, core::VirtualFunction> decode_vfs(Bytes payload);
/// The request that changes a virtual function from `now` to `then`; nothing where no value known
/// to the kernel differs.
std::optional<Message> encode_vf(std::uint32_t index, std::uint32_t number,
                                 const core::VirtualFunction& now,
                                 const core::VirtualFunction& then);

/// Reads the virtual functions of the port's device; nothing for a device that cannot have any.
void read_vf(Machine& machine, core::Port& port);
/// Creates or removes virtual functions, then sets the values of theirs that differ.
void write_vf(Machine& machine, const core::Port& now, const core::Port& then);

/// The id and the maps in the IFLA_INFO_DATA of a VLAN; the parent is not among it.
core::Vlan decode_vlan(const Attributes& data);

/// Makes the VLAN, changes its maps, or removes it.
void write_vlan(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink

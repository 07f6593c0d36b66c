// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "netlink/transport/machine.hpp"

namespace netlink {

/// An RTM_NEWLINK message. Other links are known by index only.
struct LinkAnswer {
    std::string name;
    core::Link link;
    core::Vlan vlan{};  ///< without its parent; all empty where it is none
    std::optional<core::Bond> bond{};
    std::uint32_t master = 0;
    std::uint32_t lower = 0;  ///< 0 also where it is in another network namespace
    bool operator==(const LinkAnswer&) const = default;
};

std::optional<LinkAnswer> decode_link(Bytes payload);
/// The request that makes a link of what it is now.
Message encode_link(const core::Link& now, const core::Link& then);

/// The link, or its index. Throws KernelError (ENODEV) where there is none of the name.
LinkAnswer link_called(Machine& machine, const std::string& name);
std::uint32_t index_of(Machine& machine, const std::string& name);
void remove_link(Machine& machine, std::uint32_t index);
/// Takes the link up or down.
void open_link(Machine& machine, std::uint32_t index, bool up);

/// A hardware address as ip(8) prints it: `02:00:00:00:00:01`.
std::string mac_text(Bytes bytes);

/// The ports of a scope with their link part: one request for each where all are exact names,
/// else one dump, without statistics.
std::vector<core::Port> read_links(Machine& machine,
                                   const std::optional<std::vector<std::string>>& ports);

/// Whether a scope's patterns (fnmatch(3)) name the port; all ports where there are none.
bool in_scope(const std::optional<std::vector<std::string>>& patterns, const std::string& port);

void write_link(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>

#include "netlink/transport/machine.hpp"

namespace netlink {

/// What an RTM_NEWLINK message that was asked for them says of virtual functions, by their number.
std::map<std::uint32_t, core::VirtualFunction> decode_vfs(Bytes payload);
/// The request that makes one virtual function of what it is now; nothing where it differs in
/// nothing that the kernel is reported.
std::optional<Message> encode_vf(std::uint32_t index, std::uint32_t number,
                                 const core::VirtualFunction& now,
                                 const core::VirtualFunction& then);

/// The virtual functions of the port's device; nothing where that can have none.
void read_vf(Machine& machine, core::Port& port);
/// Makes or takes away virtual functions, and then gives those that are to have something what they
/// have not.
void write_vf(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink

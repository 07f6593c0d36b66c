// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlink/transport/machine.hpp"

namespace netlink {

std::optional<core::Flags> decode_private_flags(Bytes payload);

void read_private_flags(Machine& machine, core::Port& port);

void write_private_flags(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include "netlink/transport/machine.hpp"

namespace netlink {

std::optional<core::Pause> decode_pause(Bytes payload);

Refused read_pause(Machine& machine, core::Port& port);
void write_pause(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink

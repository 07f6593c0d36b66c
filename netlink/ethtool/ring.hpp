// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlink/transport/machine.hpp"

namespace netlink {

/// The kernel leaves out a ring of which the driver has none (net/ethtool/rings.c).
core::Ring decode_ring(Bytes payload);

void read_ring(Machine& machine, core::Port& port);

void write_ring(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink

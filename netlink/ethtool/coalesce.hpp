// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlink/transport/machine.hpp"

namespace netlink {

/// The kernel leaves out what is 0 and cannot be set (net/ethtool/coalesce.c).
core::Coalesce decode_coalesce(Bytes payload);

void read_coalesce(Machine& machine, core::Port& port);
/// How the driver counts first, then the numbers as far as they differ from what that made of
/// them: a driver that is reported both at once may ignore the numbers (bnxt) or replace them
/// (mlx5).
void write_coalesce(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink

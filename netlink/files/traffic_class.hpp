// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlink/transport/machine.hpp"

namespace netlink {

/// The traffic class that the vendor's driver forces on every connection of the RDMA device; the
/// kernel's driver has none.
void read_traffic_class(Machine& machine, core::Port& port);
void write_traffic_class(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink

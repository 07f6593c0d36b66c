// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/kernel.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

/// rdma_cm's directory of each port's RDMA device and, where it exists, the defaults in it. They
/// are the first port's: the state knows one port a device.
void read_rdma_cm(Machine& machine, const core::Scope& scope, core::State& state);

void write_cm_defaults(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink

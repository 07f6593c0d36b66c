// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/kernel.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

/// What RDMA_NLDEV_CMD_STAT_GET answers of a port (drivers/infiniband/core/nldev.c,
/// stat_get_doit_default_counter).
core::Counters decode_rdma_counters(Bytes payload);

/// Needs the port's RDMA device.
void read_rdma_counters(Machine& machine, core::Port& port);

}  // namespace netlink

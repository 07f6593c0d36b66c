// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include "core/plan/kernel.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

/// shared or exclusive, of an answer to RDMA_NLDEV_CMD_SYS_GET (drivers/infiniband/core/nldev.c: 1
/// is shared).
std::optional<std::string> decode_rdma_system(Bytes payload);

/// Whether network namespaces share the RDMA devices. Throws where there is no RDMA stack.
void read_rdma_system(Machine& machine, const std::set<std::string>& names, core::Port& itself);

void write_rdma_system(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink

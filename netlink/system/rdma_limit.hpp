// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "core/model/state.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

/// Of the lines of rdma.max and rdma.current (`mlx5_0 hca_handle=2 hca_object=2000`, kernel/cgroup/
/// rdma.c) what is nearest to its limit, where that is nearer than what the process has already.
void add_rdma_limit(std::string_view limits, std::string_view used, core::Process& process);

/// Adds to the process what is nearest to its limit in its control group or in one above that.
/// `groups` is /proc/PID/cgroup.
void read_rdma_limit(const Machine& machine, std::string_view groups, core::Process& process);

}  // namespace netlink

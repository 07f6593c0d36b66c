// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlink/files/sysctl.hpp"

namespace netlink {

/// Whether the text of /proc/PID/status has the effective capability.
bool has_capability(std::string_view status, unsigned capability);

/// The processes that use RDMA, and how much each may lock.
void read_processes(Machine& machine, const Names& names, core::Port& itself);

/// What their environments say of RDMA. The kernel shows one only to who might trace the process:
/// one that is refused is a refusal of all, since nobody knows what it has.
void read_environments(Machine& machine, const Names& names, core::Port& itself);

}  // namespace netlink

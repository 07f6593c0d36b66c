// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlink/files/sysctl.hpp"

namespace netlink {

/// Whether a process of root's with the name is there (/proc/PID/comm, status).
bool root_runs(const Machine& machine, std::string_view name);
void read_irqbalance(Machine& machine, const Names& names, core::Port& itself);
/// The active profile of tuned; none where tuned does not run.
void read_tuned(Machine& machine, const Names& names, core::Port& itself);

}  // namespace netlink

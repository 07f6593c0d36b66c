// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlink/files/sysctl.hpp"

namespace netlink {

/// The cpufreq governor of every policy.
void read_governor(Machine& machine, const Names& names, core::Port& itself);
void write_governor(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink

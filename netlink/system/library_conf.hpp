// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlink/files/sysctl.hpp"

namespace netlink {

/// The variables that /etc/nccl.conf sets: of several lines for one the first counts, and what has
/// no `=` is none (NCCL src/misc/param.cc setEnvFile). No file is no variable.
void read_nccl(Machine& machine, const Names& names, core::Port& itself);
void write_nccl(Machine& machine, const core::Port& now, const core::Port& then);

/// The variables that /etc/ucx/ucx.conf sets for every host: what stands before its first section,
/// of several lines for one the last (UCX src/ucs/config/ini.c, parser.c). Throws KernelError
/// where a variable that is set so, or named here, stands in a section too, which counts on some
/// hosts alone.
void read_ucx(Machine& machine, const Names& names, core::Port& itself);
void write_ucx(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink

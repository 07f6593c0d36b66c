// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlink/files/sysctl.hpp"

namespace netlink {

/// The files by which programs set something at boot, as far as core/boot keeps their lines. One
/// that is no file, is too large or is not for this process to read is reported as refused.
void read_boot_files(Machine& machine, const Names& names, core::Port& itself);

}  // namespace netlink

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlink/files/sysctl.hpp"

namespace netlink {

/// The modules that the text of a file of modprobe.d(5) keeps from being loaded: `blacklist NAME`,
/// and `install NAME` with a command that does nothing.
Names kept_from_loading(std::string_view text);

/// Modules, libraries and device files of RDMA. Opens what is under /dev/infiniband, where the
/// kernel has the device: what it has not would be loaded.
void read_rdma_software(Machine& machine, const Names& names, core::Port& itself);

}  // namespace netlink

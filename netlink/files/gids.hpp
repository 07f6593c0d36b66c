// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "netlink/transport/machine.hpp"

namespace netlink {

/// The GID table of one port of an RDMA device, without its empty entries
/// (Documentation/ABI/stable/sysfs-class-infiniband). RDMA netlink does not have it.
std::vector<core::Gid> read_gids(Machine& machine, const std::string& device, std::uint32_t port);

}  // namespace netlink

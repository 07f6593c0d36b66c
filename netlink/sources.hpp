// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "netlink/live.hpp"

namespace netlink {

/// The objects of this layer: of the host, of ports and links, of RDMA, and of IP.
std::vector<Source> sources();
std::vector<Writer> writers();

}  // namespace netlink

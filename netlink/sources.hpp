// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "netlink/live.hpp"

namespace netlink {

/// The objects of this layer: device, private flags, rings, channels, link, speed, pause, RDMA and
/// its files, addresses, routes.
std::vector<Source> sources();
std::vector<Writer> writers();

}  // namespace netlink

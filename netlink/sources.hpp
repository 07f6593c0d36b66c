// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "netlink/live.hpp"

namespace netlink {

/// The objects of this layer: device, IP behaviour, private flags, rings, channels, features, link,
/// speed, pause, PFC storm prevention, RDMA and its files, addresses, routes, neighbours,
/// rules, VLAN children.
std::vector<Source> sources();
std::vector<Writer> writers();

}  // namespace netlink

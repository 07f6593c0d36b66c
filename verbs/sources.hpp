// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "netlink/live.hpp"

namespace verbs {

/// The active and the largest RDMA MTU, which only verbs tell. To be composed after netlink's
/// sources, which find the device; without libibverbs or the device the values stay unknown.
std::vector<netlink::Source> sources();

/// The bytes of an ibv_mtu, 0 where it is none.
std::uint32_t mtu_bytes(unsigned mtu);

}  // namespace verbs

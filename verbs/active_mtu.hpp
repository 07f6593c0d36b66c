// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/plan/kernel.hpp"
#include "netlink/transport/machine.hpp"

namespace verbs {

/// Fills the active and the largest RDMA MTU, which only verbs tell, of ports whose device was read
/// before; without libibverbs, ib_uverbs or the device the values stay unknown.
void read_active_mtu(netlink::Machine& machine, const core::Scope& scope, core::State& state);

/// An ibv_mtu in bytes; 0 for an invalid one.
std::uint32_t mtu_bytes(unsigned mtu);

}  // namespace verbs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/plan/kernel.hpp"
#include "netlink/transport/machine.hpp"

namespace verbs {

/// Fills the active and the largest RDMA MTU, which only verbs tell, of ports whose device was read
/// before; without libibverbs, ib_uverbs or the device the values stay unknown.
void read_active_mtu(netlink::Machine& machine, const core::Scope& scope, core::State& state);

/// The bytes of an ibv_mtu, 0 where it is none.
std::uint32_t mtu_bytes(unsigned mtu);

}  // namespace verbs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "core/plan/kernel.hpp"
#include "netlink/transport/machine.hpp"

namespace verbs {

/// Fills whether each port's RDMA device, which was found before, takes dma-bufs, by a registration
/// that names none. Asks only where a driver of GPUs is loaded here; without libibverbs, ib_uverbs,
/// the device or an answer that tells, it stays unknown.
void read_dmabuf(netlink::Machine& machine, const core::Scope& scope, core::State& state);

/// What of core::dmabuf the errno of ibv_reg_dmabuf_mr with descriptor -1 says; empty where it says
/// nothing of it.
std::string_view answer_of(int refusal);

}  // namespace verbs

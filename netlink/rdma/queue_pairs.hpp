// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/kernel.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

/// One queue pair as RDMA_NLDEV_CMD_RES_QP_GET lists it (drivers/infiniband/core/nldev.c,
/// fill_res_qp_entry).
struct QueuePair {
    bool management = false;    ///< SMI or GSI: every port has them
    std::uint32_t process = 0;  ///< 0 where the kernel has it
    std::string kernel{};       ///< the module that has it, of the kernel's
};
std::vector<QueuePair> decode_queue_pairs(Bytes payload);

/// How many queue pairs the device counts (RDMA_NLDEV_CMD_RES_GET), also those of processes that
/// this one cannot see; nothing where it does not say.
std::optional<std::uint64_t> decode_queue_pair_count(Bytes payload);

/// Needs the port's RDMA device. One that counts more than it lists has pairs "not visible".
void read_queue_pairs(Machine& machine, core::Port& port);

}  // namespace netlink

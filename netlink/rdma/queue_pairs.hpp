// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>

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

/// Processes that hold identifiers of rdma_cm, in an answer to RDMA_NLDEV_CMD_RES_CM_ID_GET
/// (nldev.c, fill_res_cm_id_entry); the kernel's own are left out.
std::vector<std::uint32_t> decode_cm_id_holders(Bytes payload);

/// The processes that hold queue pairs or identifiers of rdma_cm on any RDMA device, as far as this
/// one sees them.
std::set<std::uint32_t> rdma_users(Machine& machine);

/// Needs the port's RDMA device. One that counts more than it lists has pairs "not visible".
void read_queue_pairs(Machine& machine, core::Port& port);

}  // namespace netlink

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include "core/plan/kernel.hpp"
#include "netlink/rdma/rdma_port.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

/// The start of a request of RDMA netlink (RDMA_NLDEV_CMD_*).
Message rdma_message(int command);

/// An answer to RDMA_NLDEV_CMD_GET.
struct RdmaDevice {
    std::uint32_t index = 0;
    std::string name;
    std::string protocol{};                     ///< empty where the kernel has no word for it
    std::optional<bool> adaptive_moderation{};  ///< nothing before Linux 5.3
    bool operator==(const RdmaDevice&) const = default;
};

std::optional<RdmaDevice> decode_rdma_device(Bytes payload);

/// rxe or siw; empty for other drivers.
std::string decode_rdma_type(Bytes payload);

/// Whether this is the network namespace that the kernel began with: most files of net.core are its
/// alone (net/core/sysctl_net_core.c net_core_table, Linux 6.1 to 7.3). Also where nothing tells.
bool is_first_netns(const Machine& machine);

/// What devices of this network namespace are opened by under /dev/infiniband, where each namespace
/// has its own; nothing where they share them, or ib_uverbs is not loaded. The kernel's class shows
/// those of all (uverbs_main.c uverbs_class), and opening another's is EPERM (ib_uverbs_open).
std::optional<std::set<std::string>> own_verbs_nodes(Machine& machine);

/// Fills the RDMA device of each port and, where wanted, its state and GIDs.
void read_rdma_link(Machine& machine, const core::Scope& scope, core::State& state);

void write_rdma_link(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink

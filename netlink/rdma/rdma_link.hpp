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

/// Fills the RDMA device of each port and, where wanted, its state and GIDs.
void read_rdma_link(Machine& machine, const core::Scope& scope, core::State& state);

void write_rdma_link(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include "core/plan/kernel.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

/// An answer to RDMA_NLDEV_CMD_PORT_GET.
struct RdmaPortAnswer {
    std::uint32_t port = 0;  ///< number of the port in its device, from 1
    std::uint32_t link = 0;  ///< index of the netdev, 0 where it is not in this namespace
    std::uint8_t state = 0;
    std::uint8_t physical_state = 0;
    bool operator==(const RdmaPortAnswer&) const = default;
};

std::optional<RdmaPortAnswer> decode_rdma_port(Bytes payload);

/// As rdma(8) prints them: ACTIVE, LINK_UP.
std::string rdma_state(std::uint8_t state);

std::string rdma_physical_state(std::uint8_t state);

}  // namespace netlink

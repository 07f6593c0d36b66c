// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>

#include "core/plan/kernel.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

/// An answer to RDMA_NLDEV_CMD_GET.
struct RdmaDevice {
    std::uint32_t index = 0;
    std::string name;
    std::optional<bool> adaptive_moderation{};  ///< nothing before Linux 5.3
    bool operator==(const RdmaDevice&) const = default;
};

/// An answer to RDMA_NLDEV_CMD_PORT_GET.
struct RdmaPortAnswer {
    std::uint32_t port = 0;  ///< number of the port in its device, from 1
    std::uint32_t link = 0;  ///< index of the netdev, 0 where it is not in this namespace
    std::uint8_t state = 0;
    std::uint8_t physical_state = 0;
    bool operator==(const RdmaPortAnswer&) const = default;
};

std::optional<RdmaDevice> decode_rdma_device(Bytes payload);
std::optional<RdmaPortAnswer> decode_rdma_port(Bytes payload);
/// rxe or siw; empty for other drivers.
std::string decode_rdma_type(Bytes payload);

/// As rdma(8) prints them: ACTIVE, LINK_UP.
std::string rdma_state(std::uint8_t state);
std::string rdma_physical_state(std::uint8_t state);

/// Fills the RDMA device of each port and, where wanted, its state and GIDs.
void read_rdma(Host& host, const core::Scope& scope, core::State& state);

/// Whether network namespaces share the RDMA devices. Throws where there is no RDMA stack.
void read_rdma_system(Host& host, const std::set<std::string>& names, core::Port& itself);
void write_rdma_system(Host& host, const core::Port& now, const core::Port& then);

/// Takes the device's directories in configfs along, which are made by its name; the values in them
/// are the device's and stay (cma_enum_devices_by_ibdev in drivers/infiniband/core/cma_configfs.c).
void write_rdma_name(Host& host, const core::Port& now, const core::Port& then);
void write_rdma_moderation(Host& host, const core::Port& now, const core::Port& then);
void write_rdma_link(Host& host, const core::Port& now, const core::Port& then);

}  // namespace netlink

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlink/rdma/devlink_ports.hpp"

namespace netlink {

/// An answer to DEVLINK_CMD_INFO_GET; serial numbers are not looked at.
core::Versions decode_versions(Bytes payload);

/// Gives the ports of the state the versions of their devices, each of which is asked once.
void fill_versions(Machine& machine, const DevlinkPorts& all, core::State& state);

}  // namespace netlink

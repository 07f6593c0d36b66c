// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlink/rdma/devlink_ports.hpp"

namespace netlink {

/// An answer to DEVLINK_CMD_INFO_GET; serial numbers are not looked at.
core::Versions decode_versions(Bytes payload);

/// One question for each device.
void fill_versions(Machine& machine, const DevlinkPorts& all, core::State& state);

}  // namespace netlink

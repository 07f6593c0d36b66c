// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlink/rdma/devlink_ports.hpp"

namespace netlink {

/// A reporter of a device or, where it has a number, of one of its ports.
struct ReporterAnswer {
    DevlinkHandle device;
    std::optional<std::uint32_t> port;
    core::Reporter reporter;
};
/// An answer to DEVLINK_CMD_HEALTH_REPORTER_GET.
std::optional<ReporterAnswer> decode_reporter(Bytes payload);

/// Fills the reporters of each port's device and of the port itself, of one dump for all, and the
/// reloads and versions, since all of them ask which devices and ports there are.
void read_reporters(Machine& machine, const core::Scope& scope, core::State& state);

}  // namespace netlink

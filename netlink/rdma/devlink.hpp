// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/plan/kernel.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

/// How devlink names a device: the bus of its parent and the name there.
struct DevlinkHandle {
    std::string bus;
    std::string name;
    bool operator==(const DevlinkHandle&) const = default;
};

/// A device that has devlink, and how often that reloaded it.
struct DevlinkDevice {
    DevlinkHandle handle;
    core::Reloads reloads;
    bool operator==(const DevlinkDevice&) const = default;
};

/// A request about all devices or about one.
Message devlink_request(std::uint16_t family, int command);
Message devlink_request(std::uint16_t family, int command, const DevlinkHandle& device);
/// The devices that have devlink.
std::vector<DevlinkDevice> devlink_devices(Machine& machine, std::uint16_t family);

/// The device that any answer of devlink is about.
std::optional<DevlinkHandle> decode_devlink_handle(Bytes payload);
/// An answer to DEVLINK_CMD_GET; the counts of all limits of an action together.
std::optional<DevlinkDevice> decode_devlink_device(Bytes payload);
/// The parameter enable_roce in an answer to DEVLINK_CMD_PARAM_GET, in the first of its modes that
/// tells a value; nothing where it is another parameter.
std::optional<core::EnableRoce> decode_enable_roce(Bytes payload);

/// Fills whether the NIC of each port does RoCE. One question for the devices there are, so that
/// only those are asked that have devlink.
void read_devlink(Machine& machine, const core::Scope& scope, core::State& state);
/// Sets the parameter and, where its mode asks for that, starts the driver anew.
void write_devlink(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink

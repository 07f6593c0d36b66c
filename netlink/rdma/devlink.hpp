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

/// A devlink device, with its counts of reloads.
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

/// A port of a devlink device, and the interface that it is.
struct DevlinkPort {
    DevlinkHandle device;
    std::uint32_t number = 0;
    std::uint32_t link = 0;  ///< index of the interface
    bool operator==(const DevlinkPort&) const = default;
};

/// An answer to DEVLINK_CMD_PORT_GET; nothing where the port is no interface.
std::optional<DevlinkPort> decode_devlink_port(Bytes payload);

/// The devices that have devlink, and their ports.
struct DevlinkPorts {
    std::uint16_t family = 0;
    std::vector<DevlinkDevice> devices;
    std::vector<DevlinkPort> ports;
};
/// All devices of the machine that have devlink; nothing where this kernel has no devlink.
std::optional<DevlinkPorts> devlink_ports(Machine& machine);

/// Where the interface is: its device, and its number there where the driver tells its ports.
struct DevlinkPlace {
    DevlinkHandle device;
    std::optional<std::uint32_t> number{};
};
/// Where the interface of the port is among them; nothing where its device has no devlink.
std::optional<DevlinkPlace> place_of(const DevlinkPorts& all, const core::Port& port);

}  // namespace netlink

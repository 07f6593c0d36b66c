// SPDX-License-Identifier: Apache-2.0
#include "netlink/rdma/devlink_ports.hpp"

#include <linux/devlink.h>
#include <linux/genetlink.h>

#include <algorithm>

namespace netlink {

std::optional<DevlinkPort> decode_devlink_port(Bytes payload) {
    const auto device = decode_devlink_handle(payload);
    const auto attributes = Attributes::after<genlmsghdr>(payload);
    const auto number = attributes.value<std::uint32_t>(DEVLINK_ATTR_PORT_INDEX);
    const auto link = attributes.value<std::uint32_t>(DEVLINK_ATTR_PORT_NETDEV_IFINDEX);
    if (!device || !number || !link) return std::nullopt;
    return DevlinkPort{.device = *device, .number = *number, .link = *link};
}

std::optional<DevlinkPorts> devlink_ports(Machine& machine) {
    const auto family = machine.devlink_family();
    if (!family) return std::nullopt;
    DevlinkPorts out{.family = *family, .devices = devlink_devices(machine, *family), .ports = {}};
    Message ports = devlink_request(*family, DEVLINK_CMD_PORT_GET);
    out.ports = machine.generic().dump<DevlinkPort>(
        ports, [](const Reply& reply) { return decode_devlink_port(reply.payload); });
    return out;
}

std::optional<DevlinkPlace> place_of(const DevlinkPorts& all, const core::Port& port) {
    if (!port.link) return std::nullopt;
    const auto own = std::ranges::find(all.ports, port.link->index, &DevlinkPort::link);
    if (own != all.ports.end()) return DevlinkPlace{.device = own->device, .number = own->number};
    if (port.link->pci.empty()) return std::nullopt;
    const auto parent = std::ranges::find(all.devices, port.link->pci,
                                          [](const DevlinkDevice& one) { return one.handle.name; });
    if (parent == all.devices.end()) return std::nullopt;
    return DevlinkPlace{.device = parent->handle};
}

}  // namespace netlink

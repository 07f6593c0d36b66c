// SPDX-License-Identifier: Apache-2.0
#include "netlink/rdma/codecs.hpp"

#include <linux/devlink.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>

#include <algorithm>
#include <cerrno>
#include <vector>

namespace netlink {
Message devlink_request(std::uint16_t family, int command) {
    Message request(family);
    request.put_header(genlmsghdr{
        .cmd = static_cast<std::uint8_t>(command), .version = DEVLINK_GENL_VERSION, .reserved = 0});
    return request;
}

Message devlink_request(std::uint16_t family, int command, const DevlinkHandle& device) {
    Message request = devlink_request(family, command);
    request.put_text(DEVLINK_ATTR_BUS_NAME, device.bus);
    request.put_text(DEVLINK_ATTR_DEV_NAME, device.name);
    return request;
}

std::vector<DevlinkDevice> devlink_devices(Machine& machine, std::uint16_t family) {
    Message request = devlink_request(family, DEVLINK_CMD_GET);
    return machine.generic().dump<DevlinkDevice>(
        request, [](const Reply& reply) { return decode_devlink_device(reply.payload); });
}

namespace {

using Mode = core::EnableRoce::Mode;

constexpr auto kEnableRoce = "enable_roce";
constexpr std::uint8_t kFlag = 6;  // NLA_FLAG of include/net/netlink.h: the type of a boolean

/// The devlink device of the port's PCI function, if any.
std::optional<DevlinkHandle> handle_of(const std::vector<DevlinkDevice>& all,
                                       const core::Port& port) {
    if (!port.link || port.link->pci.empty()) return std::nullopt;
    const auto found = std::ranges::find(all, port.link->pci,
                                         [](const DevlinkDevice& one) { return one.handle.name; });
    return found == all.end() ? std::nullopt : std::optional(found->handle);
}

/// The kernel answers EINVAL for a parameter that the device does not have.
std::optional<core::EnableRoce> ask(Machine& machine, std::uint16_t family,
                                    const DevlinkHandle& handle) {
    Message request = devlink_request(family, DEVLINK_CMD_PARAM_GET, handle);
    request.put_text(DEVLINK_ATTR_PARAM_NAME, kEnableRoce);
    std::optional<core::EnableRoce> answer;
    try {
        machine.generic().get(
            request, [&](const Reply& reply) { answer = decode_enable_roce(reply.payload); });
    } catch (const KernelError& error) {
        if (error.code != EINVAL && error.code != EOPNOTSUPP) throw;
    }
    return answer;
}

}  // namespace

std::optional<DevlinkHandle> decode_devlink_handle(Bytes payload) {
    const auto attributes = Attributes::after<genlmsghdr>(payload);
    DevlinkHandle handle{.bus = attributes.text(DEVLINK_ATTR_BUS_NAME),
                         .name = attributes.text(DEVLINK_ATTR_DEV_NAME)};
    if (handle.bus.empty() || handle.name.empty()) return std::nullopt;
    return handle;
}

namespace {

/// By the words of devlink(8); an action that is newer than these headers has its number.
std::string action_named(std::uint8_t action) {
    switch (action) {
        case DEVLINK_RELOAD_ACTION_DRIVER_REINIT: return "driver_reinit";
        case DEVLINK_RELOAD_ACTION_FW_ACTIVATE: return "fw_activate";
        default: return std::to_string(action);
    }
}

/// net/devlink/dev.c, devlink_reload_stats_put(): a nest for each action, with one in it for each
/// limit.
void add_reloads(const Attributes& all, std::string_view before, core::Reloads& out) {
    all.for_each([&](int type, Bytes bytes) {
        if (type != DEVLINK_ATTR_RELOAD_ACTION_INFO) return;
        const Attributes info(bytes);
        const auto action = info.value<std::uint8_t>(DEVLINK_ATTR_RELOAD_ACTION);
        if (!action) return;
        std::uint64_t& count = out[std::string(before) + action_named(*action)];
        info.nested(DEVLINK_ATTR_RELOAD_ACTION_STATS).for_each([&](int kind, Bytes entry) {
            if (kind == DEVLINK_ATTR_RELOAD_STATS_ENTRY)
                count += Attributes(entry)
                             .value<std::uint32_t>(DEVLINK_ATTR_RELOAD_STATS_VALUE)
                             .value_or(0);
        });
    });
}

}  // namespace

std::optional<DevlinkDevice> decode_devlink_device(Bytes payload) {
    auto handle = decode_devlink_handle(payload);
    if (!handle) return std::nullopt;
    DevlinkDevice device{.handle = std::move(*handle), .reloads = {}};
    const Attributes counts = Attributes::after<genlmsghdr>(payload).nested(DEVLINK_ATTR_DEV_STATS);
    add_reloads(counts.nested(DEVLINK_ATTR_RELOAD_STATS), {}, device.reloads);
    add_reloads(counts.nested(DEVLINK_ATTR_REMOTE_RELOAD_STATS), core::reloads::kRemote,
                device.reloads);
    return device;
}

std::optional<core::EnableRoce> decode_enable_roce(Bytes payload) {
    const Attributes parameter = Attributes::after<genlmsghdr>(payload).nested(DEVLINK_ATTR_PARAM);
    if (parameter.text(DEVLINK_ATTR_PARAM_NAME) != kEnableRoce) return std::nullopt;
    std::optional<core::EnableRoce> found;
    parameter.nested(DEVLINK_ATTR_PARAM_VALUES_LIST).for_each([&](int type, Bytes value) {
        const Attributes one(value);
        const auto mode = one.value<std::uint8_t>(DEVLINK_ATTR_PARAM_VALUE_CMODE);
        if (found || type != DEVLINK_ATTR_PARAM_VALUE || !mode) return;
        if (*mode > DEVLINK_PARAM_CMODE_PERMANENT) return;
        found = {.on = one.find(DEVLINK_ATTR_PARAM_VALUE_DATA).has_value(),
                 .mode = static_cast<Mode>(*mode)};
    });
    return found;
}

void read_devlink(Machine& machine, const core::Scope& /*scope*/, core::State& state) {
    const auto family = machine.devlink_family();
    if (!family) return;
    const std::vector<DevlinkDevice> all = devlink_devices(machine, *family);
    for (core::Port& port : state.ports) {
        const auto handle = handle_of(all, port);
        if (!handle) continue;
        attempt(port, {core::Object::devlink},
                [&] { port.devlink = ask(machine, *family, *handle); });
    }
}

void write_devlink(Machine& machine, const core::Port& now, const core::Port& then) {
    const auto family = machine.devlink_family();
    const auto handle = family ? handle_of(devlink_devices(machine, *family), now) : std::nullopt;
    if (!handle || !now.devlink || !then.devlink) throw KernelError(EOPNOTSUPP);
    Message request = devlink_request(*family, DEVLINK_CMD_PARAM_SET, *handle);
    request.put_text(DEVLINK_ATTR_PARAM_NAME, kEnableRoce);
    request.put(DEVLINK_ATTR_PARAM_TYPE, kFlag);
    request.put(DEVLINK_ATTR_PARAM_VALUE_CMODE, static_cast<std::uint8_t>(now.devlink->mode));
    if (then.devlink->on) request.put_bytes(DEVLINK_ATTR_PARAM_VALUE_DATA, {});
    machine.generic().change(request);
    if (now.devlink->mode != Mode::driverinit) return;
    Message reload = devlink_request(*family, DEVLINK_CMD_RELOAD, *handle);
    machine.generic().change(reload);
}

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

// SPDX-License-Identifier: Apache-2.0
#include "netlink/rdma/rdma_link.hpp"

#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/rdma_netlink.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "netlink/files/cm_defaults.hpp"
#include "netlink/files/ecn.hpp"
#include "netlink/files/gids.hpp"

namespace netlink {
namespace {

Message rdma_message(int command) {
    return Message(RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command));
}

template <std::size_t N>
std::string name_of(const std::array<std::string_view, N>& names, std::uint8_t number) {
    return number < N ? std::string(names[number]) : std::to_string(number);
}

std::vector<RdmaDevice> devices(Socket& socket) {
    Message request = rdma_message(RDMA_NLDEV_CMD_GET);
    auto found = socket.dump<RdmaDevice>(
        request, [](const Reply& reply) { return decode_rdma_device(reply.payload); });
    // The one that was there first is the port's; any other is in `others`.
    std::ranges::sort(found, {}, &RdmaDevice::index);
    return found;
}

std::vector<RdmaPortAnswer> ports_of(Socket& socket, std::uint32_t device) {
    Message request = rdma_message(RDMA_NLDEV_CMD_PORT_GET);
    request.put(RDMA_NLDEV_ATTR_DEV_INDEX, device);
    return socket.dump<RdmaPortAnswer>(
        request, [](const Reply& reply) { return decode_rdma_port(reply.payload); });
}

/// By the number that user space drivers are matched with. Every driver of ib_core needs
/// ib_uverbs, so asking for its device loads nothing.
std::string type_of(Socket& socket, std::uint32_t device) {
    Message request = rdma_message(RDMA_NLDEV_CMD_GET_CHARDEV);
    request.put(RDMA_NLDEV_ATTR_DEV_INDEX, device);
    request.put_text(RDMA_NLDEV_ATTR_CHARDEV_TYPE, "uverbs");
    std::string type;
    try {
        socket.get(request, [&](const Reply& reply) { type = decode_rdma_type(reply.payload); });
    } catch (const KernelError& error) {
        // A device without verbs for users, which no soft link is.
        if (error.code != ENOENT && error.code != EOPNOTSUPP && error.code != ENODATA) throw;
    }
    return type;
}

void fill(Host& host, Socket& socket, const core::Objects& wanted, const RdmaDevice& device,
          const RdmaPortAnswer& answer, core::Port& port) {
    if (!port.rdma_link->device.empty()) {
        port.rdma_link->others.push_back(device.name);
        return;
    }
    port.rdma_link->device = device.name;
    port.rdma_link->index = device.index;
    port.rdma_link->type = type_of(socket, device.index);
    port.rdma_moderation = device.adaptive_moderation;
    if (!wanted.contains(core::Object::rdma_port)) return;
    core::RdmaPort& rdma_port = port.rdma_port.emplace();
    rdma_port.state = rdma_state(answer.state);
    rdma_port.physical_state = rdma_physical_state(answer.physical_state);
    attempt(port, {core::Object::rdma_port},
            [&] { rdma_port.gids = read_gids(host, device.name, answer.port); });
}

core::Port* port_with(core::State& state, std::uint32_t link) {
    const auto found = std::ranges::find_if(state.ports, [link](const core::Port& port) {
        return port.link && port.link->index == link;
    });
    return link == 0 || found == state.ports.end() ? nullptr : &*found;
}

}  // namespace

std::optional<RdmaDevice> decode_rdma_device(Bytes payload) {
    const Attributes attributes(payload);
    const auto index = attributes.value<std::uint32_t>(RDMA_NLDEV_ATTR_DEV_INDEX);
    const std::string name = attributes.text(RDMA_NLDEV_ATTR_DEV_NAME);
    if (!index || name.empty()) return std::nullopt;
    const auto adaptive = attributes.value<std::uint8_t>(RDMA_NLDEV_ATTR_DEV_DIM);
    RdmaDevice device{.index = *index, .name = name};
    if (adaptive) device.adaptive_moderation = *adaptive != 0;
    return device;
}

std::optional<RdmaPortAnswer> decode_rdma_port(Bytes payload) {
    const Attributes attributes(payload);
    const auto port = attributes.value<std::uint32_t>(RDMA_NLDEV_ATTR_PORT_INDEX);
    if (!port) return std::nullopt;
    const auto byte = [&](int type) { return attributes.value<std::uint8_t>(type).value_or(0); };
    return RdmaPortAnswer{
        .port = *port,
        .link = attributes.value<std::uint32_t>(RDMA_NLDEV_ATTR_NDEV_INDEX).value_or(0),
        .state = byte(RDMA_NLDEV_ATTR_PORT_STATE),
        .physical_state = byte(RDMA_NLDEV_ATTR_PORT_PHYS_STATE)};
}

std::string decode_rdma_type(Bytes payload) {
    switch (Attributes(payload)
                .value<std::uint32_t>(RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID)
                .value_or(RDMA_DRIVER_UNKNOWN)) {
        case RDMA_DRIVER_RXE: return "rxe";
        case RDMA_DRIVER_SIW: return "siw";
        default: return {};
    }
}

std::string rdma_state(std::uint8_t state) {
    static constexpr std::array<std::string_view, 6> kNames = {"NOP",   "DOWN",   "INIT",
                                                               "ARMED", "ACTIVE", "ACTIVE_DEFER"};
    return name_of(kNames, state);
}

std::string rdma_physical_state(std::uint8_t state) {
    static constexpr std::array<std::string_view, 8> kNames = {
        "NOP",     "SLEEP", "POLLING", "DISABLED", "ARMED", "LINK_UP", "LINK_ERROR_RECOVER",
        "PHY_TEST"};
    return name_of(kNames, state);
}

void read_rdma(Host& host, const core::Scope& scope, core::State& state) {
    const core::Objects& wanted = scope.objects;
    for (core::Port& port : state.ports)
        port.rdma_link.emplace();
    Socket* socket = host.rdma();
    if (socket == nullptr) return;
    for (const RdmaDevice& device : devices(*socket)) {
        for (const RdmaPortAnswer& answer : ports_of(*socket, device.index)) {
            core::Port* port = port_with(state, answer.link);
            if (port != nullptr) fill(host, *socket, wanted, device, answer, *port);
        }
    }
}

void write_rdma_name(Host& host, const core::Port& now, const core::Port& then) {
    if (!now.rdma_link || now.rdma_link->device.empty() || !then.rdma_link)
        throw KernelError(ENODEV);
    const bool cm = take_cm_directory(host, now);
    const bool congestion = take_congestion_directory(host, now);
    const auto put_back = [&](const core::Port& port) {
        if (cm) make_cm_directory(host, port);
        if (congestion) make_congestion_directory(host, port);
    };
    Message request = rdma_message(RDMA_NLDEV_CMD_SET);
    request.put(RDMA_NLDEV_ATTR_DEV_INDEX, now.rdma_link->index);
    request.put_text(RDMA_NLDEV_ATTR_DEV_NAME, then.rdma_link->device);
    try {
        host.rdma_loaded().change(request);
    } catch (const KernelError&) {
        put_back(now);
        throw;
    }
    put_back(then);
}

void write_rdma_moderation(Host& host, const core::Port& now, const core::Port& then) {
    if (!now.rdma_link || now.rdma_link->device.empty() || !then.rdma_moderation)
        throw KernelError(ENODEV);
    Message request = rdma_message(RDMA_NLDEV_CMD_SET);
    request.put(RDMA_NLDEV_ATTR_DEV_INDEX, now.rdma_link->index);
    request.put(RDMA_NLDEV_ATTR_DEV_DIM, std::uint8_t{*then.rdma_moderation});
    host.rdma_loaded().change(request);
}

void write_rdma_link(Host& host, const core::Port& now, const core::Port& then) {
    if (!now.rdma_link || !then.rdma_link) throw KernelError(ENODEV);
    Socket& socket = host.rdma_loaded();
    if (!now.rdma_link->type.empty()) {
        remove_cm_directory(host, now);
        Message request = rdma_message(RDMA_NLDEV_CMD_DELLINK);
        request.put(RDMA_NLDEV_ATTR_DEV_INDEX, now.rdma_link->index);
        socket.change(request);
    }
    if (!then.rdma_link->type.empty()) {
        Message request = rdma_message(RDMA_NLDEV_CMD_NEWLINK);
        request.put_text(RDMA_NLDEV_ATTR_DEV_NAME, then.rdma_link->device);
        request.put_text(RDMA_NLDEV_ATTR_LINK_TYPE, then.rdma_link->type);
        request.put_text(RDMA_NLDEV_ATTR_NDEV_NAME, now.name);
        socket.change(request);
    }
}

/// RDMA_NLDEV_SYS_ATTR_NETNS_MODE: 1 is shared (drivers/infiniband/core/nldev.c).
void read_rdma_system(Host& host, const std::set<std::string>& /*names*/, core::Port& itself) {
    Socket* socket = host.rdma();
    if (socket == nullptr) throw KernelError(EOPNOTSUPP, "no RDMA stack is loaded");
    Message request = rdma_message(RDMA_NLDEV_CMD_SYS_GET);
    socket->get(request, [&](const Reply& reply) {
        const auto shared =
            Attributes(reply.payload).value<std::uint8_t>(RDMA_NLDEV_SYS_ATTR_NETNS_MODE);
        if (shared) itself.rdma_system = *shared != 0 ? "shared" : "exclusive";
    });
}

void write_rdma_system(Host& host, const core::Port& /*now*/, const core::Port& then) {
    if (!then.rdma_system) throw KernelError(ENODEV);
    Message request = rdma_message(RDMA_NLDEV_CMD_SYS_SET);
    request.put(RDMA_NLDEV_SYS_ATTR_NETNS_MODE,
                static_cast<std::uint8_t>(*then.rdma_system == "shared" ? 1 : 0));
    host.rdma_loaded().change(request);
}

}  // namespace netlink

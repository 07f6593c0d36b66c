// SPDX-License-Identifier: Apache-2.0
#include "netlink/rdma/codecs.hpp"

#include <fcntl.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/rdma_netlink.h>
#include <rdma/siw-abi.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "netlink/files/codecs.hpp"
#include "netlink/files/text_file.hpp"
#include "netlink/ip/codecs.hpp"

namespace netlink {

bool has_verbs() {
    return exists("/sys/class/infiniband_verbs");
}

int refusal_of_node(const std::string& name) {
    const Descriptor opened = open_host_file(HostPath("/dev/infiniband") / name, O_RDWR);
    return opened.number() < 0 ? errno : 0;
}

std::string soft_type_in_sysfs(const Machine& machine, const std::string& device) {
    const HostPath folder = machine.file("/sys/class/infiniband") / device;
    if (exists(folder / "parent")) return "rxe";
    return read_if_there(folder / "node_desc") == SIW_NODE_DESC_COMMON ? "siw" : "";
}

namespace {

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

Message about_verbs() {
    Message request = rdma_message(RDMA_NLDEV_CMD_GET_CHARDEV);
    request.put_text(RDMA_NLDEV_ATTR_CHARDEV_TYPE, "uverbs");
    return request;
}

/// By the number that user space drivers are matched with. Loads ib_uverbs where it is not.
std::string type_asked_of_verbs(Socket& socket, std::uint32_t device) {
    Message request = about_verbs();
    request.put(RDMA_NLDEV_ATTR_DEV_INDEX, device);
    std::string type;
    try {
        socket.get(request, [&](const Reply& reply) { type = decode_rdma_type(reply.payload); });
    } catch (const KernelError& error) {
        // A device without verbs for users, which no soft link is.
        if (error.code != ENOENT && error.code != EOPNOTSUPP && error.code != ENODATA) throw;
    }
    return type;
}

/// What programs open a device by, which up to Linux 6.12 came with the driver: whoever asks for a
/// soft device means to use it. Where it cannot be had the device is there all the same.
void bring_verbs(Socket& socket) {
    if (has_verbs()) return;
    Message request = about_verbs();
    try {
        socket.get(request, [](const Reply& /*reply*/) {});
    } catch (const KernelError&) {
        return;
    }
}

std::string type_of(const Machine& machine, Socket& socket, const RdmaDevice& device) {
    return has_verbs() ? type_asked_of_verbs(socket, device.index)
                       : soft_type_in_sysfs(machine, device.name);
}

/// Nothing where the kernel does not say, as before Linux 5.2.
std::string mode_of_namespaces(Socket& socket) {
    Message request = rdma_message(RDMA_NLDEV_CMD_SYS_GET);
    std::string mode;
    try {
        socket.get(request, [&](const Reply& reply) {
            mode = decode_rdma_system(reply.payload).value_or("");
        });
    } catch (const KernelError& error) {
        if (error.code != EOPNOTSUPP && error.code != EINVAL) throw;
    }
    return mode;
}

void fill(Machine& machine, Socket& socket, const core::Objects& wanted, const RdmaDevice& device,
          const RdmaPortAnswer& answer, core::Port& port) {
    if (!port.rdma_link->device.empty()) {
        port.rdma_link->others.push_back(device.name);
        return;
    }
    port.rdma_link->device = device.name;
    port.rdma_link->index = device.index;
    port.rdma_link->port = answer.port;
    port.rdma_link->protocol = device.protocol;
    port.rdma_link->type = type_of(machine, socket, device);
    port.rdma_moderation = device.adaptive_moderation;
    if (!wanted.contains(core::Object::rdma_port)) return;
    core::RdmaPort& rdma_port = port.rdma_port.emplace();
    rdma_port.state = rdma_state(answer.state);
    rdma_port.physical_state = rdma_physical_state(answer.physical_state);
    attempt(port, {core::Object::rdma_port},
            [&] { rdma_port.gids = read_gids(machine, device.name, answer.port); });
}

core::Port* port_with(core::State& state, std::uint32_t link) {
    const auto found = std::ranges::find_if(state.ports, [link](const core::Port& port) {
        return port.link && port.link->index == link;
    });
    return link == 0 || found == state.ports.end() ? nullptr : &*found;
}

/// The ports without a device that have one of the GIDs, by the netdev that is named beside it and
/// by the address: others of the host may have a port of the same name.
std::vector<core::Port*> named_by(Machine& machine, const std::vector<core::Gid>& gids,
                                  core::State& state) {
    std::vector<core::Port*> out;
    for (core::Port& port : state.ports) {
        const auto names_it = [&](const core::Gid& gid) { return gid.port == port.name; };
        if (!port.link || !port.rdma_link->device.empty() || std::ranges::none_of(gids, names_it))
            continue;
        const std::vector<AddressAnswer> own = dump_addresses(machine, port.link->index);
        if (std::ranges::any_of(gids, [&](const core::Gid& gid) {
                const auto ip = core::parse_ip(gid.gid);
                return names_it(gid) && ip &&
                       std::ranges::any_of(own, [&](const AddressAnswer& each) {
                           return core::mapped(each.address.ip) == *ip;
                       });
            }))
            out.push_back(&port);
    }
    return out;
}

/// Gives a device whose port is in another namespace to the ports that its GIDs name. Returns
/// whether there is one. What sysfs does not show here tells nothing.
bool fill_by_gids(Machine& machine, Socket& socket, const core::Objects& wanted,
                  const RdmaDevice& device, const RdmaPortAnswer& answer, core::State& state) {
    std::vector<core::Port*> named;
    try {
        named = named_by(machine, read_gids(machine, device.name, answer.port), state);
    } catch (const KernelError&) {
        return false;
    }
    for (core::Port* port : named) {
        fill(machine, socket, wanted, device, answer, *port);
        port->rdma_link->by_gids = true;
    }
    return !named.empty();
}

}  // namespace

std::optional<RdmaDevice> decode_rdma_device(Bytes payload) {
    const Attributes attributes(payload);
    const auto index = attributes.value<std::uint32_t>(RDMA_NLDEV_ATTR_DEV_INDEX);
    const std::string name = attributes.text(RDMA_NLDEV_ATTR_DEV_NAME);
    if (!index || name.empty()) return std::nullopt;
    const auto adaptive = attributes.value<std::uint8_t>(RDMA_NLDEV_ATTR_DEV_DIM);
    RdmaDevice device{
        .index = *index, .name = name, .protocol = attributes.text(RDMA_NLDEV_ATTR_DEV_PROTOCOL)};
    if (adaptive) device.adaptive_moderation = *adaptive != 0;
    return device;
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

void read_rdma_link(Machine& machine, const core::Scope& scope, core::State& state) {
    const core::Objects& wanted = scope.objects;
    for (core::Port& port : state.ports)
        port.rdma_link.emplace();
    Socket* socket = machine.rdma();
    if (socket == nullptr) return;
    const std::string netns = is_first_netns(machine) ? "" : mode_of_namespaces(*socket);
    std::vector<std::string> elsewhere;
    std::vector<std::pair<RdmaDevice, std::vector<RdmaPortAnswer>>> away;
    for (const RdmaDevice& device : devices(*socket)) {
        bool here = false;
        const std::vector<RdmaPortAnswer> answers = ports_of(*socket, device.index);
        for (const RdmaPortAnswer& answer : answers) {
            here = here || answer.link != 0;
            core::Port* port = port_with(state, answer.link);
            if (port != nullptr) fill(machine, *socket, wanted, device, answer, *port);
        }
        if (!here) away.emplace_back(device, answers);
    }
    for (const auto& [device, answers] : away) {
        bool here = false;
        for (const RdmaPortAnswer& answer : answers)
            here = fill_by_gids(machine, *socket, wanted, device, answer, state) || here;
        if (!here) elsewhere.push_back(device.name);
    }
    for (core::Port& port : state.ports) {
        port.rdma_link->netns = netns;
        if (port.rdma_link->device.empty()) port.rdma_link->elsewhere = elsewhere;
    }
}

bool is_first_netns(const Machine& machine) {
    const auto folder = machine.file("/proc/sys/net/core");
    return exists(folder / "netdev_budget") || !exists(folder / "somaxconn");
}

std::optional<std::set<std::string>> own_verbs_nodes(Machine& machine) {
    Socket* socket = has_verbs() ? machine.rdma() : nullptr;
    if (socket == nullptr || mode_of_namespaces(*socket) != "exclusive") return std::nullopt;
    std::set<std::string> out;
    for (const RdmaDevice& device : devices(*socket)) {
        Message request = about_verbs();
        request.put(RDMA_NLDEV_ATTR_DEV_INDEX, device.index);
        try {
            socket->get(request, [&](const Reply& reply) {
                out.insert(Attributes(reply.payload).text(RDMA_NLDEV_ATTR_CHARDEV_NAME));
            });
        } catch (const KernelError& error) {
            if (error.code != ENOENT && error.code != EOPNOTSUPP && error.code != ENODATA) throw;
        }
    }
    return out;
}

void write_rdma_link(Machine& machine, const core::Port& now, const core::Port& then) {
    if (!now.rdma_link || !then.rdma_link) throw KernelError(ENODEV);
    // Programs that have the device open would lose it, or keep the kernel waiting (rxe).
    if (!now.rdma_link->type.empty() && now.rdma_link->type == then.rdma_link->type)
        return write_rdma_name(machine, now, then);
    Socket& socket = machine.rdma_loaded();
    if (!now.rdma_link->type.empty()) {
        remove_cm_directory(machine, now);
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
        bring_verbs(socket);
    }
}

Message rdma_message(int command) {
    return Message(RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command));
}

}  // namespace netlink

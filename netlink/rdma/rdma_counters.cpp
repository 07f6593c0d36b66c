// SPDX-License-Identifier: Apache-2.0
#include "netlink/rdma/codecs.hpp"

#include <rdma/rdma_netlink.h>

#include <cerrno>

namespace netlink {
namespace {

/// The number of the device's port on the netdev: a device can have several.
std::uint32_t port_number(Socket& socket, const core::Port& port) {
    Message request = rdma_message(RDMA_NLDEV_CMD_PORT_GET);
    request.put(RDMA_NLDEV_ATTR_DEV_INDEX, port.rdma_link->index);
    const auto answers = socket.dump<RdmaPortAnswer>(
        request, [](const Reply& reply) { return decode_rdma_port(reply.payload); });
    for (const RdmaPortAnswer& answer : answers)
        if (port.link && answer.link == port.link->index) return answer.port;
    return 1;
}

}  // namespace

core::Counters decode_rdma_counters(Bytes payload) {
    core::Counters out;
    Attributes(payload)
        .nested(RDMA_NLDEV_ATTR_STAT_HWCOUNTERS)
        .for_each([&](int type, Bytes bytes) {
            if (type != RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY) return;
            const Attributes entry(bytes);
            const auto value =
                entry.value<std::uint64_t>(RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_VALUE);
            std::string name = entry.text(RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_NAME);
            if (value && !name.empty()) out.insert_or_assign(std::move(name), *value);
        });
    return out;
}

void read_rdma_counters(Machine& machine, core::Port& port) {
    if (!port.rdma_link || port.rdma_link->device.empty()) return;
    Socket* socket = machine.rdma();
    if (socket == nullptr) return;
    Message request = rdma_message(RDMA_NLDEV_CMD_STAT_GET);
    request.put(RDMA_NLDEV_ATTR_DEV_INDEX, port.rdma_link->index);
    request.put(RDMA_NLDEV_ATTR_PORT_INDEX, port_number(*socket, port));
    core::Counters counters;
    try {
        socket->get(request,
                    [&](const Reply& reply) { counters = decode_rdma_counters(reply.payload); });
    } catch (const KernelError& error) {
        // So a device without counters answers (alloc_hw_port_stats is not there).
        if (error.code != EINVAL) throw;
        throw KernelError(EOPNOTSUPP, "the RDMA device has no counters");
    }
    port.rdma_counters = std::move(counters);
}

}  // namespace netlink

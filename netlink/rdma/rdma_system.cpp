// SPDX-License-Identifier: Apache-2.0
#include "netlink/rdma/codecs.hpp"

#include <rdma/rdma_netlink.h>

#include <cerrno>

namespace netlink {

std::optional<std::string> decode_rdma_system(Bytes payload) {
    const auto shared = Attributes(payload).value<std::uint8_t>(RDMA_NLDEV_SYS_ATTR_NETNS_MODE);
    if (!shared) return std::nullopt;
    return *shared != 0 ? "shared" : "exclusive";
}

void read_rdma_system(Machine& machine, const std::set<std::string>& /*names*/,
                      core::Port& itself) {
    Socket* socket = machine.rdma();
    if (socket == nullptr) throw KernelError(EOPNOTSUPP, "no RDMA stack is loaded");
    Message request = rdma_message(RDMA_NLDEV_CMD_SYS_GET);
    socket->get(request, [&](const Reply& reply) {
        if (auto mode = decode_rdma_system(reply.payload)) itself.rdma_system = std::move(*mode);
    });
}

void write_rdma_system(Machine& machine, const core::Port& /*now*/, const core::Port& then) {
    if (!then.rdma_system) throw KernelError(ENODEV);
    Message request = rdma_message(RDMA_NLDEV_CMD_SYS_SET);
    request.put(RDMA_NLDEV_SYS_ATTR_NETNS_MODE,
                static_cast<std::uint8_t>(*then.rdma_system == "shared" ? 1 : 0));
    machine.rdma_loaded().change(request);
}

}  // namespace netlink

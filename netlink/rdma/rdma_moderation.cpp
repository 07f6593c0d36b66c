// SPDX-License-Identifier: Apache-2.0
#include "netlink/rdma/codecs.hpp"

#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/rdma_netlink.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include "netlink/files/codecs.hpp"

namespace netlink {
void write_rdma_moderation(Machine& machine, const core::Port& now, const core::Port& then) {
    if (!now.rdma_link || now.rdma_link->device.empty() || !then.rdma_moderation)
        throw KernelError(ENODEV);
    Message request = rdma_message(RDMA_NLDEV_CMD_SET);
    request.put(RDMA_NLDEV_ATTR_DEV_INDEX, now.rdma_link->index);
    request.put(RDMA_NLDEV_ATTR_DEV_DIM, std::uint8_t{*then.rdma_moderation});
    machine.rdma_loaded().change(request);
}

}  // namespace netlink

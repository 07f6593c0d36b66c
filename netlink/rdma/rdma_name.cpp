// SPDX-License-Identifier: Apache-2.0
#include "netlink/rdma/codecs.hpp"

#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/rdma_netlink.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include "netlink/files/codecs.hpp"

namespace netlink {
void write_rdma_name(Machine& machine, const core::Port& now, const core::Port& then) {
    if (!now.rdma_link || now.rdma_link->device.empty() || !then.rdma_link)
        throw KernelError(ENODEV);
    const bool cm = take_cm_directory(machine, now);
    const bool congestion = take_ecn_directory(machine, now);
    const auto put_back = [&](const core::Port& port) {
        if (cm) make_cm_directory(machine, port);
        if (congestion) make_ecn_directory(machine, port);
    };
    Message request = rdma_message(RDMA_NLDEV_CMD_SET);
    request.put(RDMA_NLDEV_ATTR_DEV_INDEX, now.rdma_link->index);
    request.put_text(RDMA_NLDEV_ATTR_DEV_NAME, then.rdma_link->device);
    try {
        machine.rdma_loaded().change(request);
    } catch (const KernelError&) {
        put_back(now);
        throw;
    }
    put_back(then);
}

}  // namespace netlink

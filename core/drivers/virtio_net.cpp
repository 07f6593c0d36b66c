// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/families.hpp"

namespace core::virtio_net {

/// drivers/net/virtio_net.c, Linux 6.12 and 7.3: no DCB, no pause; rings and channels are queues
/// made anew (virtnet_set_ringparam, virtnet_set_channels), and the MTU is a number.
constinit const Driver row = {
    .name = "virtio_net",
    .doc =
        "A virtual machine's NIC: it has no DCB and no pause. Soft RoCE goes over it, and on "
        "Alibaba Cloud erdma.",
    .no_dcb = "the driver virtio_net has no DCB: the host of the virtual machine has the NIC",
    .rewrite = {.obeyed = true},
    .pause = {.absent = true},
    // Of erdma: erdma_verbs.c erdma_query_port
    .rdma_port = {.mtu_overhead = 0}};

}  // namespace core::virtio_net

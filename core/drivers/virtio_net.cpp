// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/families.hpp"

namespace core::virtio_net {

constinit const Driver row = {
    .name = "virtio_net",
    .doc =
        "A virtual machine's NIC: it has no DCB and no pause. Soft RoCE goes over it, and on "
        "Alibaba Cloud erdma.",
    .devices = "NIC of a virtual machine",
    .folder = "drivers/net",
    .read_in = "Linux 6.12.117 and 7.3.4",
    // rings and channels are queues made anew, and the MTU is a number
    .costs_source = "virtio_net.c virtnet_set_ringparam, virtnet_set_channels",
    .no_dcb = "the driver virtio_net has no DCB: the host of the virtual machine has the NIC",
    .rewrite = {.obeyed = true},
    .pause = {.absent = true, .source = "virtio_net.c virtnet_ethtool_ops"},
    // of erdma
    .rdma_port = {.mtu_overhead = 0,
                  .roce_v1 = false,
                  .source = "drivers/infiniband/hw/erdma/erdma_verbs.c erdma_query_port, "
                            "erdma_get_port_immutable"}};

}  // namespace core::virtio_net

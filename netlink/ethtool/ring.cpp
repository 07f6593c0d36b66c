// SPDX-License-Identifier: Apache-2.0
#include "netlink/ethtool/codecs.hpp"

#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <cerrno>
#include "netlink/ethtool/ethtool.hpp"

namespace netlink {
core::Ring decode_ring(Bytes payload) {
    const auto attributes = Attributes::after<genlmsghdr>(payload);
    const auto number = [&](int type) { return attributes.value<std::uint32_t>(type); };
    return {.rx = number(ETHTOOL_A_RINGS_RX),
            .tx = number(ETHTOOL_A_RINGS_TX),
            .rx_max = number(ETHTOOL_A_RINGS_RX_MAX).value_or(0),
            .tx_max = number(ETHTOOL_A_RINGS_TX_MAX).value_or(0)};
}

void read_ring(Machine& machine, core::Port& port) {
    Message request =
        ethtool_message(machine, ETHTOOL_MSG_RINGS_GET, ETHTOOL_A_RINGS_HEADER, port.name);
    machine.generic().get(request,
                          [&](const Reply& reply) { port.ring = decode_ring(reply.payload); });
    if (!port.ring) throw KernelError(EBADMSG, "rings are not in the answer");
}

void write_ring(Machine& machine, const core::Port& now, const core::Port& then) {
    if (!now.ring || !then.ring) throw KernelError(EOPNOTSUPP);
    Message request =
        ethtool_message(machine, ETHTOOL_MSG_RINGS_SET, ETHTOOL_A_RINGS_HEADER, now.name);
    put_changed(request, ETHTOOL_A_RINGS_RX, now.ring->rx, then.ring->rx);
    put_changed(request, ETHTOOL_A_RINGS_TX, now.ring->tx, then.ring->tx);
    machine.generic().change(request);
}

}  // namespace netlink

// SPDX-License-Identifier: Apache-2.0
#include "netlink/ethtool/codecs.hpp"

#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <cerrno>
#include "netlink/ethtool/ethtool.hpp"

namespace netlink {
std::optional<core::Pause> decode_pause(Bytes payload) {
    const auto attributes = Attributes::after<genlmsghdr>(payload);
    const auto flag = [&](int type) { return attributes.value<std::uint8_t>(type); };
    const auto rx = flag(ETHTOOL_A_PAUSE_RX);
    const auto tx = flag(ETHTOOL_A_PAUSE_TX);
    if (!rx || !tx) return std::nullopt;
    return core::Pause{
        .rx = *rx != 0, .tx = *tx != 0, .autoneg = flag(ETHTOOL_A_PAUSE_AUTONEG).value_or(0) != 0};
}

Refused read_pause(Machine& machine, core::Port& port) {
    Message request =
        ethtool_message(machine, ETHTOOL_MSG_PAUSE_GET, ETHTOOL_A_PAUSE_HEADER, port.name);
    std::optional<core::Pause> pause;
    Refused no = machine.generic().ask(
        request, [&](const Reply& reply) { pause = decode_pause(reply.payload); });
    if (!no && !pause) no = KernelError(EBADMSG, "pause is not in the answer");
    if (!no) port.pause = pause;
    return no;
}

void write_pause(Machine& machine, const core::Port& now, const core::Port& then) {
    if (!now.pause || !then.pause) throw KernelError(EOPNOTSUPP);
    Message request =
        ethtool_message(machine, ETHTOOL_MSG_PAUSE_SET, ETHTOOL_A_PAUSE_HEADER, now.name);
    // Only what differs: mlx5 refuses any autoneg, and the kernel keeps what is not stated.
    const auto put = [&](int type, bool before, bool after) {
        if (before != after) request.put(type, static_cast<std::uint8_t>(after));
    };
    put(ETHTOOL_A_PAUSE_AUTONEG, now.pause->autoneg, then.pause->autoneg);
    put(ETHTOOL_A_PAUSE_RX, now.pause->rx, then.pause->rx);
    put(ETHTOOL_A_PAUSE_TX, now.pause->tx, then.pause->tx);
    machine.generic().change(request);
}

}  // namespace netlink

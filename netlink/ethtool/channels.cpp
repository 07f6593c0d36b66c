// SPDX-License-Identifier: Apache-2.0
#include "netlink/ethtool/codecs.hpp"

#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <cerrno>
#include "netlink/ethtool/ethtool.hpp"

namespace netlink {
core::Channels decode_channels(Bytes payload) {
    const auto attributes = Attributes::after<genlmsghdr>(payload);
    const auto number = [&](int type) { return attributes.value<std::uint32_t>(type); };
    return {.combined = number(ETHTOOL_A_CHANNELS_COMBINED_COUNT),
            .rx = number(ETHTOOL_A_CHANNELS_RX_COUNT),
            .tx = number(ETHTOOL_A_CHANNELS_TX_COUNT),
            .combined_max = number(ETHTOOL_A_CHANNELS_COMBINED_MAX).value_or(0),
            .rx_max = number(ETHTOOL_A_CHANNELS_RX_MAX).value_or(0),
            .tx_max = number(ETHTOOL_A_CHANNELS_TX_MAX).value_or(0)};
}

void read_channels(Machine& machine, const core::Scope& scope, core::State& state) {
    const auto fill = [](core::Port& port, Bytes payload) {
        port.channels = decode_channels(payload);
        return true;
    };
    const auto ask = [&](core::Port& port) {
        Message request = ethtool_message(machine, ETHTOOL_MSG_CHANNELS_GET,
                                          ETHTOOL_A_CHANNELS_HEADER, port.name);
        machine.generic().get(request, [&](const Reply& reply) { fill(port, reply.payload); });
        if (!port.channels) throw KernelError(EBADMSG, "channels are not in the answer");
    };
    ask_together(
        machine, scope, state, {ETHTOOL_MSG_CHANNELS_GET, ETHTOOL_A_CHANNELS_HEADER}, fill,
        [&](core::Port& port) { attempt(port, {core::Object::channels}, [&] { ask(port); }); });
}

void write_channels(Machine& machine, const core::Port& now, const core::Port& then) {
    if (!now.channels || !then.channels) throw KernelError(EOPNOTSUPP);
    Message request =
        ethtool_message(machine, ETHTOOL_MSG_CHANNELS_SET, ETHTOOL_A_CHANNELS_HEADER, now.name);
    const core::Channels& before = *now.channels;
    const core::Channels& after = *then.channels;
    put_changed(request, ETHTOOL_A_CHANNELS_RX_COUNT, before.rx, after.rx);
    put_changed(request, ETHTOOL_A_CHANNELS_TX_COUNT, before.tx, after.tx);
    put_changed(request, ETHTOOL_A_CHANNELS_COMBINED_COUNT, before.combined, after.combined);
    machine.generic().change(request);
}

}  // namespace netlink

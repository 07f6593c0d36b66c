// SPDX-License-Identifier: Apache-2.0
#include "netlink/ethtool/codecs.hpp"

#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <cerrno>
#include "netlink/ethtool/ethtool.hpp"

namespace netlink {
std::optional<core::Flags> decode_private_flags(Bytes payload) {
    const auto attributes = Attributes::after<genlmsghdr>(payload);
    if (!attributes.find(ETHTOOL_A_PRIVFLAGS_FLAGS)) return std::nullopt;
    return decode_bitset(attributes.nested(ETHTOOL_A_PRIVFLAGS_FLAGS));
}

void read_private_flags(Machine& machine, core::Port& port) {
    Message request =
        ethtool_message(machine, ETHTOOL_MSG_PRIVFLAGS_GET, ETHTOOL_A_PRIVFLAGS_HEADER, port.name);
    machine.generic().get(request, [&](const Reply& reply) {
        port.private_flags = decode_private_flags(reply.payload);
    });
    if (!port.private_flags) throw KernelError(EBADMSG, "private flags are not in the answer");
}

void write_private_flags(Machine& machine, const core::Port& now, const core::Port& then) {
    if (!now.private_flags || !then.private_flags) throw KernelError(EOPNOTSUPP);
    Message request =
        ethtool_message(machine, ETHTOOL_MSG_PRIVFLAGS_SET, ETHTOOL_A_PRIVFLAGS_HEADER, now.name);
    put_bitset(request, ETHTOOL_A_PRIVFLAGS_FLAGS, *now.private_flags, *then.private_flags);
    machine.generic().change(request);
}

}  // namespace netlink

// SPDX-License-Identifier: Apache-2.0
#include "netlink/flags.hpp"

#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>

#include <cerrno>

#include "netlink/ethtool.hpp"

namespace netlink {

core::Flags decode_bitset(const Attributes& bitset) {
    core::Flags flags;
    const bool only_set = bitset.find(ETHTOOL_A_BITSET_NOMASK).has_value();
    bitset.nested(ETHTOOL_A_BITSET_BITS).for_each([&](int type, Bytes payload) {
        if (type != ETHTOOL_A_BITSET_BITS_BIT) return;
        const Attributes bit(payload);
        const std::string name = bit.text(ETHTOOL_A_BITSET_BIT_NAME);
        const bool on = only_set || bit.find(ETHTOOL_A_BITSET_BIT_VALUE).has_value();
        if (!name.empty()) flags.emplace(name, on);
    });
    return flags;
}

void put_bitset(Message& request, int type, const core::Flags& now, const core::Flags& then) {
    const auto put_bit = [&](const std::string& name, bool on) {
        request.nest(ETHTOOL_A_BITSET_BITS_BIT, [&] {
            request.put_text(ETHTOOL_A_BITSET_BIT_NAME, name);
            if (on) request.put_bytes(ETHTOOL_A_BITSET_BIT_VALUE, {});
        });
    };
    request.nest(type, [&] {
        request.nest(ETHTOOL_A_BITSET_BITS, [&] {
            for (const auto& [name, on] : then) {
                const auto before = now.find(name);
                if (before == now.end() || before->second != on) put_bit(name, on);
            }
        });
    });
}

std::optional<core::Flags> decode_private_flags(Bytes payload) {
    const auto attributes = Attributes::after<genlmsghdr>(payload);
    if (!attributes.find(ETHTOOL_A_PRIVFLAGS_FLAGS)) return std::nullopt;
    return decode_bitset(attributes.nested(ETHTOOL_A_PRIVFLAGS_FLAGS));
}

void read_private_flags(Host& host, core::Port& port) {
    Message request =
        ethtool_message(host, ETHTOOL_MSG_PRIVFLAGS_GET, ETHTOOL_A_PRIVFLAGS_HEADER, port.name);
    host.generic().get(request, [&](const Reply& reply) {
        port.private_flags = decode_private_flags(reply.payload);
    });
    if (!port.private_flags) throw KernelError(EBADMSG, "private flags are not in the answer");
}

void write_private_flags(Host& host, const core::Port& now, const core::Port& then) {
    if (!now.private_flags || !then.private_flags) throw KernelError(EOPNOTSUPP);
    Message request =
        ethtool_message(host, ETHTOOL_MSG_PRIVFLAGS_SET, ETHTOOL_A_PRIVFLAGS_HEADER, now.name);
    put_bitset(request, ETHTOOL_A_PRIVFLAGS_FLAGS, *now.private_flags, *then.private_flags);
    host.generic().change(request);
}

}  // namespace netlink

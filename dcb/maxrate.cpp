// SPDX-License-Identifier: Apache-2.0
#include "dcb/codecs.hpp"

#include <algorithm>
#include <cerrno>
#include <iterator>

#include "dcb/exchange.hpp"

namespace dcb {

core::MaxRate from_wire(const ieee_maxrate& wire) {
    core::MaxRate maxrate;
    std::ranges::copy(wire.tc_maxrate, maxrate.kbit.begin());
    return maxrate;
}

ieee_maxrate to_wire(const core::MaxRate& maxrate) {
    ieee_maxrate wire{};
    std::ranges::copy(maxrate.kbit, std::begin(wire.tc_maxrate));
    return wire;
}

void write_maxrate(netlink::Machine& machine, const core::Port& now, const core::Port& then) {
    if (!now.maxrate || !then.maxrate) throw netlink::KernelError(EOPNOTSUPP);
    change_ieee(machine, now.name, DCB_CMD_IEEE_SET, [&](netlink::Message& request) {
        request.put(DCB_ATTR_IEEE_MAXRATE, to_wire(*then.maxrate));
    });
}

}  // namespace dcb

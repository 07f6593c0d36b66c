// SPDX-License-Identifier: Apache-2.0
#include "dcb/codecs.hpp"

#include <algorithm>
#include <cerrno>
#include <iterator>

#include "dcb/exchange.hpp"

namespace dcb {

core::Ets from_wire(const ieee_ets& wire) {
    core::Ets ets;
    std::ranges::copy(wire.prio_tc, ets.traffic_class.begin());
    std::ranges::copy(wire.tc_tsa, ets.algorithm.begin());
    std::ranges::copy(wire.tc_tx_bw, ets.bandwidth.begin());
    ets.capability = wire.ets_cap;
    ets.willing = wire.willing != 0;
    return ets;
}

ieee_ets to_wire(ieee_ets wire, const core::Ets& ets) {
    std::ranges::copy(ets.traffic_class, std::begin(wire.prio_tc));
    std::ranges::copy(ets.algorithm, std::begin(wire.tc_tsa));
    std::ranges::copy(ets.bandwidth, std::begin(wire.tc_tx_bw));
    return wire;
}

void write_ets(netlink::Machine& machine, const core::Port& now, const core::Port& then) {
    const auto wire = get_ieee(machine, now.name).ets;
    if (!wire || !then.ets) throw netlink::KernelError(EOPNOTSUPP);
    change_ieee(machine, now.name, DCB_CMD_IEEE_SET, [&](netlink::Message& request) {
        request.put(DCB_ATTR_IEEE_ETS, to_wire(*wire, *then.ets));
    });
}

}  // namespace dcb

// SPDX-License-Identifier: Apache-2.0
#include "dcb/codecs.hpp"

#include <algorithm>
#include <cerrno>

#include "dcb/exchange.hpp"

namespace dcb {

core::Pfc from_wire(const ieee_pfc& wire) {
    core::Pfc pfc;
    pfc.priorities = wire.pfc_en;
    pfc.delay = wire.delay;
    pfc.capability = wire.pfc_cap;
    std::ranges::copy(wire.requests, pfc.requests.begin());
    std::ranges::copy(wire.indications, pfc.indications.begin());
    return pfc;
}

ieee_pfc to_wire(ieee_pfc wire, const core::Pfc& pfc) {
    wire.pfc_en = pfc.priorities;
    wire.delay = pfc.delay;
    return wire;
}

void write_pfc(netlink::Machine& machine, const core::Port& now, const core::Port& then) {
    const auto wire = get_ieee(machine, now.name).pfc;
    if (!wire || !then.pfc) throw netlink::KernelError(EOPNOTSUPP);
    change_ieee(machine, now.name, DCB_CMD_IEEE_SET, [&](netlink::Message& request) {
        request.put(DCB_ATTR_IEEE_PFC, to_wire(*wire, *then.pfc));
    });
}

}  // namespace dcb

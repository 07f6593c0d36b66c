// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <linux/dcbnl.h>

#include "netlink/transport/machine.hpp"

namespace dcb {

core::Ets from_wire(const ieee_ets& wire);
/// `wire` with what the state knows; what it does not know (receive shares, recommendations) is
/// kept.
ieee_ets to_wire(ieee_ets wire, const core::Ets& ets);

void write_ets(netlink::Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace dcb

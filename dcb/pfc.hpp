// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <linux/dcbnl.h>

#include "netlink/transport/machine.hpp"

namespace dcb {

core::Pfc from_wire(const ieee_pfc& wire);
/// `wire` with what a profile can state; the MACsec bypass capability and the rest are kept.
ieee_pfc to_wire(ieee_pfc wire, const core::Pfc& pfc);

void write_pfc(netlink::Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace dcb

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <linux/dcbnl.h>

#include "netlink/transport/machine.hpp"

namespace dcb {

core::MaxRate from_wire(const ieee_maxrate& wire);
ieee_maxrate to_wire(const core::MaxRate& maxrate);

void write_maxrate(netlink::Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace dcb

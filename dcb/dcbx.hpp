// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlink/transport/machine.hpp"

namespace dcb {

core::Dcbx dcbx_now(netlink::Machine& machine, const std::string& name);
netlink::Refused read_dcbx(netlink::Machine& machine, core::Port& port);
void write_dcbx(netlink::Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace dcb

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlink/transport/machine.hpp"

namespace dcb {

core::Dcbx read_dcbx(netlink::Machine& machine, const std::string& name);
netlink::Refused fill_dcbx(netlink::Machine& machine, core::Port& port);
void write_dcbx(netlink::Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace dcb

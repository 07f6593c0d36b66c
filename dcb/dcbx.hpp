// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlink/transport/machine.hpp"

namespace dcb {

core::Dcbx read_dcbx(netlink::Host& host, const std::string& port);
void fill_dcbx(netlink::Host& host, core::Port& port);
void write_dcbx(netlink::Host& host, const core::Port& now, const core::Port& then);

}  // namespace dcb

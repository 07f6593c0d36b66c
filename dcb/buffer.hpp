// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <linux/dcbnl.h>

#include "netlink/transport/machine.hpp"

namespace dcb {

core::Buffer from_wire(const dcbnl_buffer& wire);
dcbnl_buffer to_wire(const core::Buffer& buffer);

/// One message for each of core::buffer_edits.
void write_buffer(netlink::Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace dcb

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlink/transport/machine.hpp"

namespace netlink {

/// What is in the IFLA_INFO_DATA of a bond.
core::Bond decode_bond(const Attributes& data);

/// Makes the bond, changes it, with its members taken off meanwhile where the kernel wants that, or
/// removes it.
void write_bond(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlink/transport/machine.hpp"

namespace netlink {

/// The bond that IFLA_INFO_DATA of a link message describes.
core::Bond decode_bond(const Attributes& data);

/// Makes the bond, changes it, with its members taken off meanwhile where the kernel wants that, or
/// removes it.
void write_bond(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include "netlink/transport/machine.hpp"

namespace netlink {

/// Driver, firmware and, where netlink did not say, the PCI address. Netlink has no form of it.
void read_device(Machine& machine, core::Port& port);

}  // namespace netlink

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/state.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

/// Fills what the kernel tells of the port's PCI Express link; leaves a port alone that is no PCI
/// Express function.
void read_pcie_link(Machine& machine, core::Port& port);

}  // namespace netlink

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/state.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

/// Nothing for a port that is no PCI Express function. A bridge that is none, or has no AER, is
/// there without what it does not tell.
void read_pcie_path(Machine& machine, core::Port& port);

}  // namespace netlink

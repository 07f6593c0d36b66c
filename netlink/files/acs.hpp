// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlink/files/pcie.hpp"

namespace netlink {

/// Whether the Access Control Services of a function with that configuration space redirect
/// requests or completions of its peers; nothing where it has none. Throws KernelError where the
/// space ends before.
std::optional<bool> redirects_peers(ConfigSpace space);

/// Looks at each bridge from the port's function up to the root.
void read_acs(Machine& machine, core::Port& port);

}  // namespace netlink

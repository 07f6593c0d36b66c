// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/plan/kernel.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

/// Whether a NetworkManager connection profile (keyfile, nm-settings-keyfile(5)) is for the port:
/// by its name, or by its hardware address.
bool is_keyfile_of(std::string_view text, const core::Port& port);

/// Who else manages the ports, and where that was seen: lldpad (its socket), NetworkManager (its
/// keyfiles, /run/NetworkManager/devices), systemd-networkd (/run/systemd/netif/links), a udev
/// rule for bnxt_re, the SR-IOV network operator's daemon. Runs no program.
void read_owners(Machine& machine, const core::Scope& scope, core::State& state);

}  // namespace netlink

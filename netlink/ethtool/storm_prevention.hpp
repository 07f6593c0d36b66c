// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <linux/ethtool.h>

#include <array>

#include "netlink/transport/machine.hpp"

namespace netlink {

/// struct ethtool_tunable with a 16-bit number behind it.
using Tunable = std::array<std::byte, sizeof(ethtool_tunable) + sizeof(std::uint16_t)>;

/// ETHTOOL_GTUNABLE or ETHTOOL_STUNABLE of ETHTOOL_PFC_PREVENTION_TOUT. Netlink has no form of it.
Tunable storm_tunable(std::uint32_t command, std::uint16_t timeout);
/// The number in what the kernel made of it.
std::uint16_t number_in(const Tunable& tunable);

void read_storm_prevention(Machine& machine, core::Port& port);
void write_storm_prevention(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink

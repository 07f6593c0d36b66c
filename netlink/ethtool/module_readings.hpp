// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/model/state.hpp"
#include "netlink/ethtool/module_memory.hpp"

namespace netlink {

/// Whether the module measures anything, as far as its first bytes and those that name it tell: a
/// copper cable does not.
bool module_measures(const ModuleMemory& memory);

/// What the memory says of the module and its lanes in use.
core::Transceiver transceiver_of(const ModuleMemory& memory);

/// Light in tenths of a microwatt, as a module counts it (SFF-8636 6.2.4, CMIS 8.2.5), in two
/// places of dBm; `0 mW` where it is dark.
std::string power_text(int tenth_microwatts);

}  // namespace netlink

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/state.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

/// The bytes in an answer to ETHTOOL_MSG_MODULE_EEPROM_GET.
Bytes decode_module_bytes(Bytes payload);

/// Reads about 200 bytes of what is plugged in, of those that `ethtool -m` reads. The flags among
/// them are latched, and the module clears them with any reading (SFF-8636 6.2.3, CMIS 8.2.5): what
/// is gone meanwhile is reported only to the one who asks first.
void read_transceiver(Machine& machine, core::Port& port);

}  // namespace netlink

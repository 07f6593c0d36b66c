// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "netlink/transport/machine.hpp"

namespace netlink {

/// The start of a request of the ethtool family about one port.
Message ethtool_message(Host& host, int command, int header, const std::string& port);

std::optional<core::Pause> decode_pause(Bytes payload);

core::Pause read_pause(Host& host, const std::string& port);
void write_pause(Host& host, const core::Port& now, const core::Port& then);

/// Driver, firmware and, where netlink did not say, the PCI address. Netlink has no form of it.
void read_driver(Host& host, core::Port& port);

}  // namespace netlink

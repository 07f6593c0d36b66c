// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "core/model/ip.hpp"
#include "netlink/transport/descriptor.hpp"

namespace cli {

/// Listens at `ADDRESS`, `ADDRESS:PORT` or `[ADDRESS6]:PORT`; where empty, at all addresses. Throws
/// Error (usage) where it is no address, Error (failed) where the kernel refuses.
netlink::Descriptor listen_at(const std::string& where);
/// The next client; none (-1) on timeout.
netlink::Descriptor accept_one(int socket, std::chrono::milliseconds limit);

/// The port at which a socket listens.
std::uint16_t bound_port(int socket);
/// The address at which a socket listens; nothing for all addresses.
std::optional<core::Ip> bound_address(int socket);

}  // namespace cli

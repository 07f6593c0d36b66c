// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/probe/socket.hpp"
#include "core/model/ip.hpp"
#include "netlink/transport/descriptor.hpp"

namespace cli {

/// A TCP connection, or why there is none.
struct Connected {
    netlink::Descriptor socket{};
    std::string why{};     ///< empty where connected
    bool refused = false;  ///< the host answers, but nothing listens there
};
/// Connects to one of the host's addresses, from the address `from` if given.
Connected connect_tcp(const std::string& host, const std::string& port,
                      std::chrono::milliseconds limit,
                      const std::optional<core::Ip>& from = std::nullopt);
/// Connects to the server at `HOST`, `HOST:PORT` or `[ADDRESS6]:PORT`. Throws Error (failed).
netlink::Descriptor connect_to(const std::string& host,
                               const std::optional<core::Ip>& from = std::nullopt);
/// Opens another connection between the same two addresses, to the same port, as that of the socket
/// `other`. Throws Error (failed).
netlink::Descriptor connect_beside(int other, std::uint8_t traffic_class,
                                   std::chrono::milliseconds limit);

/// Resolves a host as connect_to does, for callers that connect to many hosts at once without
/// blocking. Throws Error (failed) where there is no address.
std::vector<SocketAddress> addresses_of(const std::string& host);
/// Starts a non-blocking connection; `why` is the kernel's immediate refusal, if any.
netlink::Descriptor start_connecting(const SocketAddress& to, std::string& why);
/// Why a writable socket did not connect, or empty.
std::string connecting_failed(int socket);

}  // namespace cli

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

/// A TCP connection, or why none came about.
struct Connected {
    netlink::Descriptor socket{};
    std::string why{};     ///< empty where there is one
    bool refused = false;  ///< the host answers, and nobody listens there
};
/// Connects to any address of the host, from the address `from` where one is given.
Connected connect_tcp(const std::string& host, const std::string& port,
                      std::chrono::milliseconds limit,
                      const std::optional<core::Ip>& from = std::nullopt);
/// A connection to the server at `HOST`, `HOST:PORT` or `[ADDRESS6]:PORT`. Throws Error (failed) in
/// words.
netlink::Descriptor connect_to(const std::string& host,
                               const std::optional<core::Ip>& from = std::nullopt);
/// Another connection between the addresses of both sides of one that there is, to the same port.
/// Throws Error (failed) in words.
netlink::Descriptor connect_beside(int other, std::uint8_t traffic_class,
                                   std::chrono::milliseconds limit);

/// The addresses of a host in the form that connect_to takes, for one that connects to many at once
/// and waits for none. Throws Error (failed) where there is none.
std::vector<SocketAddress> addresses_of(const std::string& host);
/// A socket that is on its way there; `why` says what the kernel refused at once.
netlink::Descriptor start_connecting(const SocketAddress& to, std::string& why);
/// Of a socket that can be written: why it is not connected, or empty.
std::string connecting_failed(int socket);

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/socket.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/model/ip.hpp"
#include "netlink/transport/descriptor.hpp"

namespace cli {

/// Where servers of a probe listen if nothing else is said.
inline constexpr unsigned kProbePort = 18516;

/// Listens at `ADDRESS`, `ADDRESS:PORT` or `[ADDRESS6]:PORT`; at all addresses where it is empty.
/// Throws Error (usage) for what is no address, Error (failed) for what the kernel refuses.
netlink::Descriptor listen_at(const std::string& where);
/// The next client; none (-1) where the time is over.
netlink::Descriptor accept_one(int socket, std::chrono::milliseconds limit);
/// A TCP connection, or why none came about.
struct Connected {
    netlink::Descriptor socket{};
    std::string why{};     ///< empty where there is one
    bool refused = false;  ///< the host answers, and nobody listens there
};
/// To any address of the host, from the address `from` where one is given.
Connected connect_tcp(const std::string& host, const std::string& port,
                      std::chrono::milliseconds limit,
                      const std::optional<core::Ip>& from = std::nullopt);

/// A connection to the server at `HOST`, `HOST:PORT` or `[ADDRESS6]:PORT`. Throws Error (failed) in
/// words.
netlink::Descriptor connect_to(const std::string& host,
                               const std::optional<core::Ip>& from = std::nullopt);
/// The same host in the form that connect_to takes, with another address: the port stays.
std::string with_address(const std::string& host, const core::Ip& address);

/// An address with its port, for one that connects to many at once and waits for none.
struct SocketAddress {
    sockaddr_storage address{};
    socklen_t size = 0;
    [[nodiscard]] std::uint16_t port() const;
};
/// Those of a host in the form that connect_to takes. Throws Error (failed) where there is none.
std::vector<SocketAddress> addresses_of(const std::string& host);
/// A socket that is on its way there; `why` says what the kernel refused at once.
netlink::Descriptor start_connecting(const SocketAddress& to, std::string& why);
/// Of a socket that can be written: why it is not connected, or empty.
std::string connecting_failed(int socket);

/// Where a socket listens: its port, and its address, where it is not all.
std::uint16_t bound_port(int socket);
std::optional<core::Ip> bound_address(int socket);

/// The address of this side of a connection.
/// Another connection between the addresses of both sides of one that there is, to the same port.
/// Throws Error (failed) in words.
netlink::Descriptor connect_beside(int other, std::uint8_t traffic_class,
                                   std::chrono::milliseconds limit);
/// The byte of IPv4's ToS, or IPv6's traffic class, of what the socket sends; the two bits of ECN
/// stay TCP's own (net/ipv4/ip_sockglue.c __ip_sock_set_tos).
void set_traffic_class(int socket, std::uint8_t traffic_class);

/// The address of this side of a connection, and of the other, with its port.
core::Ip own_address(int socket);
core::Ip peer_address(int socket);
std::uint16_t peer_port(int socket);
/// `ADDRESS:PORT` of this side, and of the other.
std::string socket_name(int socket);
std::string peer_name(int socket);

}  // namespace cli

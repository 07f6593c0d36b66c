// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <string>

#include "core/error.hpp"
#include "core/model/ip.hpp"

namespace cli {

/// An address and port as the kernel takes them.
struct SocketAddress {
    sockaddr_storage address{};
    socklen_t size = 0;
    [[nodiscard]] std::uint16_t port() const;
};
/// The address as text: `ADDRESS:PORT`.
std::string name_of(const sockaddr_storage& address, socklen_t size);
/// The port of an IPv4 or IPv6 address, in network byte order.
in_port_t& port_in(sockaddr_storage& address);

/// The local address of a connection.
core::Ip own_address(int socket);
/// The peer's address as the kernel has it; AF_UNSPEC where there is none.
sockaddr_storage peer_of(int socket);
core::Ip peer_address(int socket);
std::uint16_t peer_port(int socket);
/// The local `ADDRESS:PORT`.
std::string socket_name(int socket);
/// The peer's `ADDRESS:PORT`.
std::string peer_name(int socket);

/// Sets IPv4's ToS byte, or IPv6's traffic class, of what the socket sends. TCP keeps the two ECN
/// bits (net/ipv4/ip_sockglue.c __ip_sock_set_tos).
void set_traffic_class(int socket, std::uint8_t traffic_class);
/// Sends small writes at once (TCP_NODELAY).
void send_at_once(int socket);
/// An Error for what the kernel refused, with its text and errno.
core::Error socket_refused(const std::string& what, int code);

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <string>

#include "core/error.hpp"
#include "core/model/ip.hpp"

namespace cli {

/// An address with its port, as the kernel takes it.
struct SocketAddress {
    sockaddr_storage address{};
    socklen_t size = 0;
    [[nodiscard]] std::uint16_t port() const;
};
/// `ADDRESS:PORT` in words.
std::string name_of(const sockaddr_storage& address, socklen_t size);
/// The port of an IPv4 or IPv6 address, in network byte order.
in_port_t& port_in(sockaddr_storage& address);

/// The address of this side of a connection.
core::Ip own_address(int socket);
/// The other side of a connection, as the kernel has it; of no family where there is none.
sockaddr_storage peer_of(int socket);
core::Ip peer_address(int socket);
std::uint16_t peer_port(int socket);
/// `ADDRESS:PORT` of this side.
std::string socket_name(int socket);
/// `ADDRESS:PORT` of the other side.
std::string peer_name(int socket);

/// The byte of IPv4's ToS, or IPv6's traffic class, of what the socket sends; the two bits of ECN
/// stay TCP's own (net/ipv4/ip_sockglue.c __ip_sock_set_tos).
void set_traffic_class(int socket, std::uint8_t traffic_class);
/// Lets what is written leave at once, however little it is (TCP_NODELAY).
void send_at_once(int socket);
/// What the kernel refused, in words, with its errno.
core::Error socket_refused(const std::string& what, int code);

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/model/ip.hpp"
#include "netlink/transport/descriptor.hpp"

namespace verbs {

/// An address and port as the kernel takes them.
struct SocketAddress {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    sockaddr* get() { return reinterpret_cast<sockaddr*>(&address); }
    [[nodiscard]] const sockaddr* get() const {
        return reinterpret_cast<const sockaddr*>(&address);
    }
    [[nodiscard]] bool is_v6() const { return address.ss_family == AF_INET6; }
    [[nodiscard]] core::Ip ip() const;
    [[nodiscard]] std::uint16_t port() const;
    void set_port(std::uint16_t port);
    /// `ADDRESS:PORT` or `[ADDRESS6]:PORT`; `nobody` where there is none.
    [[nodiscard]] std::string text() const;
};
SocketAddress socket_address(const core::Ip& ip, std::uint16_t port);

/// The local end of a connection, and the peer's; AF_UNSPEC where there is none.
SocketAddress own_end(int socket);
SocketAddress peer_end(int socket);
/// The address at which a socket listens; nothing for all addresses.
std::optional<core::Ip> bound_address(int socket);

/// Sets IPv4's ToS byte, or IPv6's traffic class, of what the socket sends. TCP keeps the two ECN
/// bits (net/ipv4/ip_sockglue.c __ip_sock_set_tos).
void set_traffic_class(int socket, std::uint8_t traffic_class);
/// Sends small writes at once (TCP_NODELAY).
void send_at_once(int socket);
/// An Error for what the kernel refused, with its text and errno.
core::Error socket_refused(const std::string& what, int code);

/// The default port of probe servers.
inline constexpr unsigned kProbePort = 18516;

/// A host's name or address, and a port in decimal digits.
struct HostPort {
    std::string host{};
    std::string port{};
};
/// Parses `HOST`, `HOST:PORT`, `ADDRESS6` or `[ADDRESS6]:PORT`; without a port, kProbePort.
HostPort host_port_in(const std::string& text);
/// `ADDRESS:PORT` or `[ADDRESS6]:PORT`: this address with the port in `host`, in a form that
/// host_port_in takes.
std::string with_address(const std::string& host, const core::Ip& address);

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

/// Listens at `ADDRESS`, `ADDRESS:PORT` or `[ADDRESS6]:PORT`; where empty, at all addresses. Throws
/// Error (usage) where it is no address, Error (failed) where the kernel refuses.
netlink::Descriptor listen_at(const std::string& where);
/// The next client; none (-1) on timeout.
netlink::Descriptor accept_one(int socket, std::chrono::milliseconds limit);

}  // namespace verbs

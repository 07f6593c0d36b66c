// SPDX-License-Identifier: Apache-2.0
#include "cli/probe/socket.hpp"

#include <netdb.h>
#include <netinet/tcp.h>

#include <algorithm>
#include <array>
#include <system_error>

namespace cli {
namespace {

core::Ip ip_in(const sockaddr_storage& address) {
    core::Ip out;
    if (address.ss_family == AF_INET) {
        const auto& in = reinterpret_cast<const sockaddr_in&>(address);
        std::copy_n(reinterpret_cast<const std::uint8_t*>(&in.sin_addr), 4, out.bytes.begin());
        return out;
    }
    const auto& in6 = reinterpret_cast<const sockaddr_in6&>(address);
    out.v6 = true;
    std::copy_n(in6.sin6_addr.s6_addr, out.bytes.size(), out.bytes.begin());
    // A socket for both families has IPv4 addresses mapped into IPv6.
    return core::mapped_in(out).value_or(out);
}

}  // namespace

std::uint16_t SocketAddress::port() const {
    return ntohs(address.ss_family == AF_INET6
                     ? reinterpret_cast<const sockaddr_in6&>(address).sin6_port
                     : reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

std::string name_of(const sockaddr_storage& address, socklen_t size) {
    std::array<char, NI_MAXHOST> host{};
    std::array<char, NI_MAXSERV> port{};
    if (::getnameinfo(reinterpret_cast<const sockaddr*>(&address), size, host.data(), host.size(),
                      port.data(), port.size(), NI_NUMERICHOST | NI_NUMERICSERV) != 0)
        return "nobody";
    const core::Ip ip = ip_in(address);
    std::string out = ip.v6 ? host.data() : core::text(ip);
    if (ip.v6) out = "[" + out + "]";
    return out + ":" + port.data();
}

in_port_t& port_in(sockaddr_storage& address) {
    return address.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(address).sin6_port
                                         : reinterpret_cast<sockaddr_in&>(address).sin_port;
}

core::Ip own_address(int socket) {
    sockaddr_storage address = {};
    socklen_t size = sizeof address;
    if (::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) return {};
    return ip_in(address);
}

sockaddr_storage peer_of(int socket) {
    sockaddr_storage address = {};
    socklen_t size = sizeof address;
    if (::getpeername(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) return {};
    return address;
}

core::Ip peer_address(int socket) {
    return ip_in(peer_of(socket));
}

std::uint16_t peer_port(int socket) {
    sockaddr_storage address = peer_of(socket);
    return ntohs(port_in(address));
}

std::string socket_name(int socket) {
    sockaddr_storage address = {};
    socklen_t size = sizeof address;
    if (::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) return "nobody";
    return name_of(address, size);
}

std::string peer_name(int socket) {
    sockaddr_storage address = {};
    socklen_t size = sizeof address;
    if (::getpeername(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) return "nobody";
    return name_of(address, size);
}

void set_traffic_class(int socket, std::uint8_t traffic_class) {
    const int value = traffic_class;
    // One of the two is not the socket's; one that is for both families takes both.
    ::setsockopt(socket, IPPROTO_IP, IP_TOS, &value, sizeof value);
    ::setsockopt(socket, IPPROTO_IPV6, IPV6_TCLASS, &value, sizeof value);
}

void send_at_once(int socket) {
    const int yes = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

core::Error socket_refused(const std::string& what, int code) {
    return {core::Status::failed, what + ": " + std::generic_category().message(code) + " (" +
                                      std::to_string(code) + ")"};
}

}  // namespace cli

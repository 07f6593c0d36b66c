// SPDX-License-Identifier: Apache-2.0
#include "verbs/socket.hpp"

#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <system_error>

namespace verbs {
namespace {

std::string errno_text(int code) {
    return std::generic_category().message(code);
}

/// Resolves with getaddrinfo(3) and these flags. Empty where there is no address; `why` is then its
/// error text.
std::vector<SocketAddress> find_addresses(const HostPort& place, int flags, std::string& why) {
    addrinfo hints = {};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = flags | AI_NUMERICSERV;
    addrinfo* found = nullptr;
    unsigned port = 0;
    const char* port_end = place.port.data() + place.port.size();
    const auto read = std::from_chars(place.port.data(), port_end, port);
    if (read.ec != std::errc() || read.ptr != port_end || port > UINT16_MAX) {
        why = "'" + place.port + "' is no port";
        return {};
    }
    const int no = ::getaddrinfo(place.host.empty() ? nullptr : place.host.c_str(),
                                 place.port.c_str(), &hints, &found);
    if (no != 0) why = ::gai_strerror(no);
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> all(found, ::freeaddrinfo);
    std::vector<SocketAddress> out;
    for (const addrinfo* one = all.get(); one != nullptr; one = one->ai_next) {
        SocketAddress& each = out.emplace_back(SocketAddress{.size = one->ai_addrlen});
        std::memcpy(&each.address, one->ai_addr, one->ai_addrlen);
    }
    return out;
}

netlink::Descriptor tcp_socket(const SocketAddress& to) {
    return netlink::Descriptor(
        ::socket(to.address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP));
}

/// Connects before the time is over; 0, or errno.
int connect_within(int socket, const SocketAddress& to, std::chrono::milliseconds limit) {
    if (::connect(socket, to.get(), to.size) == 0) return 0;
    if (errno != EINPROGRESS) return errno;
    pollfd wanted = {.fd = socket, .events = POLLOUT, .revents = 0};
    const int ready = ::poll(&wanted, 1, static_cast<int>(limit.count()));
    if (ready <= 0) return ready < 0 ? errno : EINPROGRESS;
    int code = 0;
    socklen_t size = sizeof code;
    ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &code, &size);
    return code;
}

/// Why there is no connection; empty where there is one.
std::string unconnected(int code, std::chrono::milliseconds limit) {
    if (code == 0) return {};
    if (code == EINTR) return "interrupted";
    if (code == EINPROGRESS) return "no answer in " + std::to_string(limit.count() / 1000) + " s";
    return errno_text(code);
}

/// One of the kind for both families where all addresses are meant: IPv4 alone where the kernel
/// has no IPv6.
netlink::Descriptor socket_to_listen(const std::vector<SocketAddress>& found, bool all,
                                     SocketAddress& chosen) {
    chosen = found.front();
    for (const SocketAddress& one : found) {
        if (!all || !one.is_v6()) continue;
        netlink::Descriptor both = tcp_socket(one);
        const int no = 0;
        if (both.number() < 0 ||
            ::setsockopt(both.number(), IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no) != 0)
            continue;
        chosen = one;
        return both;
    }
    return tcp_socket(chosen);
}

}  // namespace

std::uint16_t SocketAddress::port() const {
    return ntohs(is_v6() ? reinterpret_cast<const sockaddr_in6&>(address).sin6_port
                         : reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

void SocketAddress::set_port(std::uint16_t port) {
    (is_v6() ? reinterpret_cast<sockaddr_in6&>(address).sin6_port
             : reinterpret_cast<sockaddr_in&>(address).sin_port) = htons(port);
}

core::Ip SocketAddress::ip() const {
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

std::string SocketAddress::text() const {
    std::array<char, NI_MAXHOST> host{};
    std::array<char, NI_MAXSERV> service{};
    if (::getnameinfo(get(), size, host.data(), host.size(), service.data(), service.size(),
                      NI_NUMERICHOST | NI_NUMERICSERV) != 0)
        return "nobody";
    const core::Ip own = ip();
    return (own.v6 ? "[" + std::string(host.data()) + "]" : core::text(own)) + ":" + service.data();
}

SocketAddress socket_address(const core::Ip& ip, std::uint16_t port) {
    SocketAddress out;
    out.size = ip.v6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
    out.address.ss_family = ip.v6 ? AF_INET6 : AF_INET;
    if (ip.v6)
        std::ranges::copy(ip.bytes, reinterpret_cast<sockaddr_in6&>(out.address).sin6_addr.s6_addr);
    else
        std::memcpy(&reinterpret_cast<sockaddr_in&>(out.address).sin_addr, ip.bytes.data(), 4);
    out.set_port(port);
    return out;
}

SocketAddress own_end(int socket) {
    SocketAddress out;
    if (::getsockname(socket, out.get(), &out.size) != 0) return {};
    return out;
}

SocketAddress peer_end(int socket) {
    SocketAddress out;
    if (::getpeername(socket, out.get(), &out.size) != 0) return {};
    return out;
}

std::optional<core::Ip> bound_address(int socket) {
    const core::Ip own = own_end(socket).ip();
    if (std::ranges::all_of(own.bytes, [](std::uint8_t byte) { return byte == 0; }))
        return std::nullopt;
    return own;
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
    return {core::Status::failed,
            what + ": " + errno_text(code) + " (" + std::to_string(code) + ")"};
}

/// An IPv6 address has colons of its own, so that its port stands behind brackets.
HostPort host_port_in(const std::string& text) {
    HostPort out{.host = text, .port = std::to_string(kProbePort)};
    const std::size_t colon = text.rfind(':');
    if (text.starts_with('[')) {
        const std::size_t end = text.find(']');
        if (end == std::string::npos) return out;
        out.host = text.substr(1, end - 1);
        if (colon != std::string::npos && colon == end + 1) out.port = text.substr(colon + 1);
    } else if (colon != std::string::npos && text.find(':') == colon) {
        out.host = text.substr(0, colon);
        out.port = text.substr(colon + 1);
    }
    return out;
}

std::string with_address(const std::string& host, const core::Ip& address) {
    const std::string text = core::text(address);
    return (address.v6 ? "[" + text + "]" : text) + ":" + host_port_in(host).port;
}

Connected connect_tcp(const std::string& host, const std::string& port,
                      std::chrono::milliseconds limit, const std::optional<core::Ip>& from) {
    Connected out{.why = "no address"};
    for (const SocketAddress& one : find_addresses({.host = host, .port = port}, 0, out.why)) {
        if (from && from->v6 != one.is_v6()) {
            out.why = "none of its addresses is of the family of " + core::text(*from) +
                      ", from which it is to be reached";
            continue;
        }
        netlink::Descriptor socket = tcp_socket(one);
        int code = socket.number() < 0 ? errno : 0;
        if (code == 0 && from) {
            const SocketAddress own = socket_address(*from, 0);
            code = ::bind(socket.number(), own.get(), own.size) == 0 ? 0 : errno;
        }
        if (code == 0) code = connect_within(socket.number(), one, limit);
        out.refused = code == ECONNREFUSED;
        out.why = unconnected(code, limit);
        if (code == 0) out.socket = std::move(socket);
        if (code == 0 || code == EINTR) break;
    }
    return out;
}

netlink::Descriptor connect_to(const std::string& host, const std::optional<core::Ip>& from) {
    constexpr std::chrono::milliseconds kConnectLimit{5000};
    const HostPort place = host_port_in(host);
    Connected made = connect_tcp(place.host, place.port, kConnectLimit, from);
    if (made.refused) made.why = "its host answers, and no rocectl probe serve listens there";
    if (!made.why.empty()) throw core::Error(core::Status::failed, host + ": " + made.why);
    send_at_once(made.socket.number());
    return std::move(made.socket);
}

netlink::Descriptor connect_beside(int other, std::uint8_t traffic_class,
                                   std::chrono::milliseconds limit) {
    const SocketAddress to = peer_end(other);
    SocketAddress from = own_end(other);
    from.set_port(0);
    netlink::Descriptor socket = tcp_socket(to);
    if (socket.number() < 0) throw socket_refused("making a socket", errno);
    if (::bind(socket.number(), from.get(), from.size) != 0)
        throw socket_refused("binding a data connection to " + from.text(), errno);
    set_traffic_class(socket.number(), traffic_class);
    if (const int code = connect_within(socket.number(), to, limit); code != 0)
        throw socket_refused("connecting a data connection to " + to.text(), code);
    send_at_once(socket.number());
    return socket;
}

std::vector<SocketAddress> addresses_of(const std::string& host) {
    std::string why;
    std::vector<SocketAddress> out = find_addresses(host_port_in(host), 0, why);
    if (out.empty()) throw core::Error(core::Status::failed, why);
    return out;
}

netlink::Descriptor start_connecting(const SocketAddress& to, std::string& why) {
    why.clear();
    netlink::Descriptor socket = tcp_socket(to);
    if (socket.number() < 0 ||
        (::connect(socket.number(), to.get(), to.size) != 0 && errno != EINPROGRESS))
        why = errno_text(errno);
    return socket;
}

std::string connecting_failed(int socket) {
    int code = 0;
    socklen_t size = sizeof code;
    ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &code, &size);
    if (code == ECONNREFUSED) return "its host answers, and no rocectl probe serve listens there";
    if (code != 0) return errno_text(code);
    send_at_once(socket);
    return {};
}

netlink::Descriptor listen_at(const std::string& where) {
    std::string why;
    const std::vector<SocketAddress> found =
        find_addresses(host_port_in(where), AI_PASSIVE | AI_NUMERICHOST, why);
    if (found.empty())
        throw core::Error(core::Status::usage,
                          "--bind: found '" + where + "', expected ADDRESS[:PORT]: " + why);
    SocketAddress chosen;
    netlink::Descriptor socket = socket_to_listen(found, where.empty(), chosen);
    if (socket.number() < 0) throw socket_refused("making a socket", errno);
    const int yes = 1;
    ::setsockopt(socket.number(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (::bind(socket.number(), chosen.get(), chosen.size) != 0)
        throw socket_refused("binding to " + (where.empty() ? "all addresses" : where), errno);
    constexpr int kWaiting = 16;
    if (::listen(socket.number(), kWaiting) != 0) throw socket_refused("listening", errno);
    return socket;
}

netlink::Descriptor accept_one(int socket, std::chrono::milliseconds limit) {
    pollfd wanted = {.fd = socket, .events = POLLIN, .revents = 0};
    if (::poll(&wanted, 1, static_cast<int>(limit.count())) <= 0) return netlink::Descriptor(-1);
    netlink::Descriptor client(::accept4(socket, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (client.number() >= 0) send_at_once(client.number());
    return client;
}

}  // namespace verbs

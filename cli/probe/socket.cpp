// SPDX-License-Identifier: Apache-2.0
#include "cli/probe/socket.hpp"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <system_error>

#include "core/error.hpp"

namespace cli {
namespace {

using Found = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

struct Place {
    std::string host{};
    std::string port{};
};

/// An IPv6 address has colons of its own, so that its port stands behind brackets.
Place place_in(const std::string& text) {
    Place out{.host = text, .port = std::to_string(kProbePort)};
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

/// What getaddrinfo(3) finds; null, and its words, where that is nothing.
Found find(const Place& place, int flags, std::string& why) {
    addrinfo hints = {};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = flags | AI_NUMERICSERV;
    addrinfo* found = nullptr;
    unsigned port = 0;
    const char* port_end = place.port.data() + place.port.size();
    const auto read = std::from_chars(place.port.data(), port_end, port);
    if (read.ec != std::errc() || read.ptr != port_end || port > UINT16_MAX) {
        why = "'" + place.port + "' is no port";
        return {nullptr, ::freeaddrinfo};
    }
    const int no = ::getaddrinfo(place.host.empty() ? nullptr : place.host.c_str(),
                                 place.port.c_str(), &hints, &found);
    if (no != 0) why = ::gai_strerror(no);
    return {found, ::freeaddrinfo};
}

std::string words(int code) {
    return std::generic_category().message(code);
}

core::Error refused(const std::string& what, int code) {
    return {core::Status::failed, what + ": " + words(code) + " (" + std::to_string(code) + ")"};
}

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

/// Lets the socket begin at the address; 0, or errno.
int bind_from(int socket, const std::optional<core::Ip>& from) {
    if (!from) return 0;
    sockaddr_storage own = {};
    socklen_t size = sizeof(sockaddr_in);
    if (from->v6) {
        auto& in6 = reinterpret_cast<sockaddr_in6&>(own);
        in6.sin6_family = AF_INET6;
        std::ranges::copy(from->bytes, in6.sin6_addr.s6_addr);
        size = sizeof(sockaddr_in6);
    } else {
        auto& in = reinterpret_cast<sockaddr_in&>(own);
        in.sin_family = AF_INET;
        std::copy_n(from->bytes.begin(), 4, reinterpret_cast<std::uint8_t*>(&in.sin_addr));
    }
    return ::bind(socket, reinterpret_cast<const sockaddr*>(&own), size) == 0 ? 0 : errno;
}

/// Connects before the time is over; 0, or errno.
int connect_within(int socket, const addrinfo& to, std::chrono::milliseconds limit) {
    if (::connect(socket, to.ai_addr, to.ai_addrlen) == 0) return 0;
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
    return words(code);
}

void send_at_once(int socket) {
    const int yes = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

/// One of the kind for both families where all addresses are meant: IPv4 alone where the kernel
/// has no IPv6.
netlink::Descriptor socket_to_listen(const addrinfo& first, bool all, const addrinfo*& chosen) {
    chosen = &first;
    for (const addrinfo* one = &first; all && one != nullptr; one = one->ai_next) {
        if (one->ai_family != AF_INET6) continue;
        netlink::Descriptor both(
            ::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP));
        const int no = 0;
        if (both.number() < 0 ||
            ::setsockopt(both.number(), IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no) != 0)
            continue;
        chosen = one;
        return both;
    }
    return netlink::Descriptor(
        ::socket(first.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP));
}

}  // namespace

netlink::Descriptor listen_at(const std::string& where) {
    std::string why;
    const Found found = find(place_in(where), AI_PASSIVE | AI_NUMERICHOST, why);
    if (!found)
        throw core::Error(core::Status::usage,
                          "--bind: found '" + where + "', expected ADDRESS[:PORT]: " + why);
    const addrinfo* chosen = nullptr;
    netlink::Descriptor socket = socket_to_listen(*found, where.empty(), chosen);
    if (socket.number() < 0) throw refused("making a socket", errno);
    const int yes = 1;
    ::setsockopt(socket.number(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (::bind(socket.number(), chosen->ai_addr, chosen->ai_addrlen) != 0)
        throw refused("binding to " + (where.empty() ? "all addresses" : where), errno);
    constexpr int kWaiting = 16;
    if (::listen(socket.number(), kWaiting) != 0) throw refused("listening", errno);
    return socket;
}

netlink::Descriptor accept_one(int socket, std::chrono::milliseconds limit) {
    pollfd wanted = {.fd = socket, .events = POLLIN, .revents = 0};
    if (::poll(&wanted, 1, static_cast<int>(limit.count())) <= 0) return netlink::Descriptor(-1);
    netlink::Descriptor client(::accept4(socket, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (client.number() >= 0) send_at_once(client.number());
    return client;
}

std::string with_address(const std::string& host, const core::Ip& address) {
    const std::string text = core::text(address);
    return (address.v6 ? "[" + text + "]" : text) + ":" + place_in(host).port;
}

Connected connect_tcp(const std::string& host, const std::string& port,
                      std::chrono::milliseconds limit, const std::optional<core::Ip>& from) {
    Connected out{.why = "no address"};
    const Found found = find({.host = host, .port = port}, 0, out.why);
    for (const addrinfo* one = found.get(); one != nullptr; one = one->ai_next) {
        if (from && from->v6 != (one->ai_family == AF_INET6)) {
            out.why = "none of its addresses is of the family of " + core::text(*from) +
                      ", from which it is to be reached";
            continue;
        }
        netlink::Descriptor socket(
            ::socket(one->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP));
        int code = socket.number() < 0 ? errno : bind_from(socket.number(), from);
        if (code == 0) code = connect_within(socket.number(), *one, limit);
        out.refused = code == ECONNREFUSED;
        out.why = unconnected(code, limit);
        if (code == 0) out.socket = std::move(socket);
        if (code == 0 || code == EINTR) break;
    }
    return out;
}

netlink::Descriptor connect_to(const std::string& host, const std::optional<core::Ip>& from) {
    constexpr std::chrono::milliseconds kConnectLimit{5000};
    const Place place = place_in(host);
    Connected made = connect_tcp(place.host, place.port, kConnectLimit, from);
    if (made.refused) made.why = "its host answers, and no rocectl probe serve listens there";
    if (!made.why.empty()) throw core::Error(core::Status::failed, host + ": " + made.why);
    send_at_once(made.socket.number());
    return std::move(made.socket);
}

namespace {

sockaddr_storage peer_of(int socket) {
    sockaddr_storage address = {};
    socklen_t size = sizeof address;
    if (::getpeername(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) return {};
    return address;
}

in_port_t& port_in(sockaddr_storage& address) {
    return address.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(address).sin6_port
                                         : reinterpret_cast<sockaddr_in&>(address).sin_port;
}

}  // namespace

core::Ip own_address(int socket) {
    sockaddr_storage address = {};
    socklen_t size = sizeof address;
    if (::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) return {};
    return ip_in(address);
}

core::Ip peer_address(int socket) {
    return ip_in(peer_of(socket));
}

std::uint16_t peer_port(int socket) {
    sockaddr_storage address = peer_of(socket);
    return ntohs(port_in(address));
}

netlink::Descriptor connect_beside(int other, std::uint8_t traffic_class,
                                   std::chrono::milliseconds limit) {
    sockaddr_storage to = peer_of(other);
    sockaddr_storage from = {};
    socklen_t size = sizeof from;
    ::getsockname(other, reinterpret_cast<sockaddr*>(&from), &size);
    port_in(from) = 0;
    netlink::Descriptor socket(
        ::socket(to.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP));
    if (socket.number() < 0) throw refused("making a socket", errno);
    if (::bind(socket.number(), reinterpret_cast<const sockaddr*>(&from), size) != 0)
        throw refused("binding a data connection to " + name_of(from, size), errno);
    set_traffic_class(socket.number(), traffic_class);
    addrinfo there = {};
    there.ai_addr = reinterpret_cast<sockaddr*>(&to);
    there.ai_addrlen = size;
    if (const int code = connect_within(socket.number(), there, limit); code != 0)
        throw refused("connecting a data connection to " + name_of(to, size), code);
    send_at_once(socket.number());
    return socket;
}

void set_traffic_class(int socket, std::uint8_t traffic_class) {
    const int value = traffic_class;
    // One of the two is not the socket's; one that is for both families takes both.
    ::setsockopt(socket, IPPROTO_IP, IP_TOS, &value, sizeof value);
    ::setsockopt(socket, IPPROTO_IPV6, IPV6_TCLASS, &value, sizeof value);
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

std::uint16_t SocketAddress::port() const {
    return ntohs(address.ss_family == AF_INET6
                     ? reinterpret_cast<const sockaddr_in6&>(address).sin6_port
                     : reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

std::vector<SocketAddress> addresses_of(const std::string& host) {
    std::string why;
    const Found found = find(place_in(host), 0, why);
    std::vector<SocketAddress> out;
    for (const addrinfo* one = found.get(); one != nullptr; one = one->ai_next) {
        SocketAddress each{.size = one->ai_addrlen};
        std::memcpy(&each.address, one->ai_addr, one->ai_addrlen);
        out.push_back(each);
    }
    if (out.empty()) throw core::Error(core::Status::failed, why);
    return out;
}

netlink::Descriptor start_connecting(const SocketAddress& to, std::string& why) {
    why.clear();
    netlink::Descriptor socket(
        ::socket(to.address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP));
    if (socket.number() < 0 ||
        (::connect(socket.number(), reinterpret_cast<const sockaddr*>(&to.address), to.size) != 0 &&
         errno != EINPROGRESS))
        why = words(errno);
    return socket;
}

std::string connecting_failed(int socket) {
    int code = 0;
    socklen_t size = sizeof code;
    ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &code, &size);
    if (code == ECONNREFUSED) return "its host answers, and no rocectl probe serve listens there";
    if (code != 0) return words(code);
    send_at_once(socket);
    return {};
}

std::uint16_t bound_port(int socket) {
    SocketAddress own{.size = sizeof own.address};
    ::getsockname(socket, reinterpret_cast<sockaddr*>(&own.address), &own.size);
    return own.port();
}

std::optional<core::Ip> bound_address(int socket) {
    const core::Ip own = own_address(socket);
    if (std::ranges::all_of(own.bytes, [](std::uint8_t byte) { return byte == 0; }))
        return std::nullopt;
    return own;
}

}  // namespace cli

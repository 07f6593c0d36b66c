// SPDX-License-Identifier: Apache-2.0
#include "cli/probe/connecting.hpp"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "cli/probe/host_port.hpp"
#include "core/error.hpp"

namespace cli {
namespace {

std::string words(int code) {
    return std::generic_category().message(code);
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

}  // namespace

Connected connect_tcp(const std::string& host, const std::string& port,
                      std::chrono::milliseconds limit, const std::optional<core::Ip>& from) {
    Connected out{.why = "no address"};
    const FoundAddresses found = find_addresses({.host = host, .port = port}, 0, out.why);
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
    const HostPort place = host_port_in(host);
    Connected made = connect_tcp(place.host, place.port, kConnectLimit, from);
    if (made.refused) made.why = "its host answers, and no rocectl probe serve listens there";
    if (!made.why.empty()) throw core::Error(core::Status::failed, host + ": " + made.why);
    send_at_once(made.socket.number());
    return std::move(made.socket);
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
    if (socket.number() < 0) throw socket_refused("making a socket", errno);
    if (::bind(socket.number(), reinterpret_cast<const sockaddr*>(&from), size) != 0)
        throw socket_refused("binding a data connection to " + name_of(from, size), errno);
    set_traffic_class(socket.number(), traffic_class);
    addrinfo there = {};
    there.ai_addr = reinterpret_cast<sockaddr*>(&to);
    there.ai_addrlen = size;
    if (const int code = connect_within(socket.number(), there, limit); code != 0)
        throw socket_refused("connecting a data connection to " + name_of(to, size), code);
    send_at_once(socket.number());
    return socket;
}

std::vector<SocketAddress> addresses_of(const std::string& host) {
    std::string why;
    const FoundAddresses found = find_addresses(host_port_in(host), 0, why);
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

}  // namespace cli

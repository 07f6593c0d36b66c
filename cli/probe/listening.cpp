// SPDX-License-Identifier: Apache-2.0
#include "cli/probe/listening.hpp"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "cli/probe/host_port.hpp"
#include "cli/probe/socket.hpp"
#include "core/error.hpp"

namespace cli {
namespace {

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
    const FoundAddresses found =
        find_addresses(host_port_in(where), AI_PASSIVE | AI_NUMERICHOST, why);
    if (!found)
        throw core::Error(core::Status::usage,
                          "--bind: found '" + where + "', expected ADDRESS[:PORT]: " + why);
    const addrinfo* chosen = nullptr;
    netlink::Descriptor socket = socket_to_listen(*found, where.empty(), chosen);
    if (socket.number() < 0) throw socket_refused("making a socket", errno);
    const int yes = 1;
    ::setsockopt(socket.number(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (::bind(socket.number(), chosen->ai_addr, chosen->ai_addrlen) != 0)
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

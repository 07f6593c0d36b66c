// SPDX-License-Identifier: Apache-2.0
#include "verbs/datagram.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <vector>

#include "core/error.hpp"
#include "verbs/socket.hpp"

namespace verbs {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kLongestPacket = 65535;

core::Error datagram_refused(const std::string& what) {
    return socket_refused(what, errno);
}

void set(int socket, int level, int option, int value) {
    if (::setsockopt(socket, level, option, &value, sizeof value) != 0)
        throw datagram_refused("setting an option of a UDP socket");
}

/// A packet is sent as it is, whatever the kernel knows of the path.
void send_whole(int socket, bool v6, std::uint8_t traffic_class) {
    if (v6) {
        set(socket, IPPROTO_IPV6, IPV6_MTU_DISCOVER, IPV6_PMTUDISC_PROBE);
        set(socket, IPPROTO_IPV6, IPV6_DONTFRAG, 1);
        set(socket, IPPROTO_IPV6, IPV6_TCLASS, traffic_class);
        return;
    }
    set(socket, IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_PROBE);
    set(socket, IPPROTO_IP, IP_TOS, traffic_class);
}

}  // namespace

Datagrams::Datagrams(const core::Ip& own, const std::string& port, std::uint64_t token,
                     std::uint8_t traffic_class)
    : socket_(::socket(own.v6 ? AF_INET6 : AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
                       IPPROTO_UDP)),
      v6_(own.v6),
      token_(token) {
    if (socket_.number() < 0) throw datagram_refused("making a UDP socket");
    send_whole(socket_.number(), v6_, traffic_class);
    // RoCE leaves by the port of its GID, whatever the routes of others are.
    if (::setsockopt(socket_.number(), SOL_SOCKET, SO_BINDTODEVICE, port.data(),
                     static_cast<socklen_t>(port.size())) != 0)
        throw datagram_refused(port + ": sending by this port alone");
    const SocketAddress at = socket_address(own, 0);
    if (::bind(socket_.number(), at.get(), at.size) != 0)
        throw datagram_refused(core::text(own) + ": binding a UDP socket");
}

std::uint16_t Datagrams::port() const {
    return own_end(socket_.number()).port();
}

void Datagrams::set_peer(const core::Ip& peer, std::uint16_t port) {
    const SocketAddress to = socket_address(peer, port);
    if (::connect(socket_.number(), to.get(), to.size) != 0)
        throw datagram_refused(core::text(peer) + ": connecting a UDP socket");
    has_peer_ = true;
}

std::uint32_t Datagrams::headers() const {
    return (v6_ ? 40U : 20U) + 8;
}

bool Datagrams::send(std::uint32_t packet) {
    std::vector<std::uint8_t> bytes(std::max<std::size_t>(packet - headers(), sizeof token_));
    std::memcpy(bytes.data(), &token_, sizeof token_);
    if (::send(socket_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL) >= 0) return true;
    if (errno == EMSGSIZE) return false;
    // What an earlier one met is reported with the next; it is lost, as this one is then.
    if (errno == ECONNREFUSED || errno == EHOSTUNREACH || errno == EAGAIN || errno == EPERM)
        return true;
    throw datagram_refused("sending a UDP datagram");
}

void Datagrams::take() {
    std::vector<std::uint8_t> bytes(kLongestPacket);
    SocketAddress from;
    const ssize_t got = ::recvfrom(socket_.number(), bytes.data(), bytes.size(), MSG_DONTWAIT,
                                   from.get(), &from.size);
    if (got < static_cast<ssize_t>(sizeof token_)) return;
    if (std::memcmp(bytes.data(), &token_, sizeof token_) != 0) return;
    came_ = static_cast<std::uint32_t>(got) + headers();
    if (has_peer_) return;
    has_peer_ = ::connect(socket_.number(), from.get(), from.size) == 0;
}

bool Datagrams::has_come(std::uint32_t packet, milliseconds limit) {
    const Clock::time_point end = Clock::now() + limit;
    for (;;) {
        const auto left = std::chrono::ceil<milliseconds>(end - Clock::now());
        pollfd wanted = {.fd = socket_.number(), .events = POLLIN, .revents = 0};
        if (::poll(&wanted, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0))) <= 0)
            return false;
        take();
        if (came_ == packet) return true;
        if (left.count() <= 0) return false;
    }
}

}  // namespace verbs

// SPDX-License-Identifier: Apache-2.0
#include "cli/confirm/guard_probe_kinds.hpp"

#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/icmp6.h>
#include <netinet/in.h>
#include <netinet/ip_icmp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <set>
#include <sstream>
#include <system_error>
#include <thread>

#include "cli/confirm/guard_probe.hpp"
#include "netlink/ip/codecs.hpp"
#include "netlink/transport/descriptor.hpp"

namespace cli {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kGatewayLimit{3000};
constexpr std::chrono::milliseconds kGatewayStep{1000};

bool is_default(const netlink::RouteAnswer& answer) {
    return answer.route.to.length == 0 && answer.route.table == RT_TABLE_MAIN && answer.route.via &&
           answer.links.size() == 1;
}

/// A link-local address is nothing without its port.
std::string text(const netlink::RouteAnswer& answer) {
    std::string out = core::text(*answer.route.via);
    std::array<char, IF_NAMESIZE> name = {};
    if (core::is_link_local(*answer.route.via) &&
        ::if_indextoname(answer.links.front(), name.data()) != nullptr)
        out.append("%").append(name.data());
    return out;
}

struct Freed {
    void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};
using Address = std::unique_ptr<addrinfo, Freed>;

Address parse(const std::string& gateway) {
    addrinfo hints = {};
    hints.ai_flags = AI_NUMERICHOST;
    hints.ai_socktype = SOCK_RAW;
    addrinfo* found = nullptr;
    return Address(::getaddrinfo(gateway.c_str(), nullptr, &hints, &found) == 0 ? found : nullptr);
}

/// The checksum of RFC 1071; for ICMPv6 the kernel makes it.
std::uint16_t checksum(const std::uint8_t* bytes, std::size_t size) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i + 1 < size; i += 2)
        sum += static_cast<std::uint32_t>(bytes[i] << 8U | bytes[i + 1]);
    while (sum > 0xFFFFU)
        sum = (sum & 0xFFFFU) + (sum >> 16U);
    return htons(static_cast<std::uint16_t>(~sum & 0xFFFFU));
}

std::array<std::uint8_t, 8> request_of(bool v6) {
    std::array<std::uint8_t, 8> request = {v6 ? std::uint8_t{ICMP6_ECHO_REQUEST}
                                              : std::uint8_t{ICMP_ECHO}};
    const std::uint16_t sum = checksum(request.data(), request.size());
    if (!v6) std::memcpy(request.data() + 2, &sum, sizeof sum);
    return request;
}

/// An IPv4 packet comes with its header.
bool is_reply(bool v6, const std::uint8_t* packet, std::size_t size) {
    if (size == 0) return false;
    const std::size_t header = v6 ? 0 : static_cast<std::size_t>(packet[0] & 0xFU) * 4;
    return size > header && packet[header] == (v6 ? ICMP6_ECHO_REPLY : ICMP_ECHOREPLY);
}

bool readable(int socket, Clock::time_point end) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
    if (left.count() <= 0) return false;
    struct pollfd wanted = {.fd = socket, .events = POLLIN, .revents = 0};
    return ::poll(&wanted, 1, static_cast<int>(left.count())) > 0;
}

/// Asks once and waits for a second; nothing where an answer came. The first request may be lost
/// while the neighbour is looked for, and an address may be tentative still.
std::string ask(int socket, const addrinfo& to, Clock::time_point end) {
    const bool v6 = to.ai_family == AF_INET6;
    if (::connect(socket, to.ai_addr, to.ai_addrlen) != 0) return error_words(errno);
    const auto request = request_of(v6);
    if (::send(socket, request.data(), request.size(), 0) < 0) return error_words(errno);
    while (readable(socket, end)) {
        std::array<std::uint8_t, 128> packet = {};
        const ssize_t got = ::recv(socket, packet.data(), packet.size(), 0);
        if (got < 0) return error_words(errno);
        if (is_reply(v6, packet.data(), static_cast<std::size_t>(got))) return {};
    }
    return "no answer in 3 s";
}

std::string echo_fails(const std::string& gateway) {
    const Address to = parse(gateway);
    if (to == nullptr) return "is no address here any more";
    constexpr int kind = SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK;
    const int protocol = to->ai_family == AF_INET6 ? int{IPPROTO_ICMPV6} : int{IPPROTO_ICMP};
    const netlink::Descriptor raw(::socket(to->ai_family, kind, protocol));
    if (raw.number() < 0) return "no socket for it: " + error_words(errno);
    const auto end = Clock::now() + kGatewayLimit;
    for (;;) {
        const auto next = std::min(end, Clock::now() + kGatewayStep);
        std::string why = ask(raw.number(), *to, next);
        if (why.empty() || Clock::now() >= end) return why;
        std::this_thread::sleep_until(next);
    }
}

}  // namespace

std::string default_gateways(const std::string& /*none*/) {
    netlink::Machine host("/");
    netlink::Message request(RTM_GETROUTE);
    request.put_header(rtmsg{});
    const auto answers =
        host.route().dump<netlink::RouteAnswer>(request, [](const netlink::Reply& reply) {
            auto answer = netlink::decode_route(reply.payload);
            if (answer && !is_default(*answer)) answer.reset();
            return answer;
        });
    std::set<std::string> names;
    for (const netlink::RouteAnswer& answer : answers)
        names.insert(text(answer));
    std::string out;
    for (const std::string& name : names)
        out += (out.empty() ? "" : " ") + name;
    return out;
}

std::string gateways_fail(const std::string& gateways) {
    if (gateways.empty()) return "there is no default gateway";
    std::istringstream names(gateways);
    for (std::string name; names >> name;)
        if (const std::string why = echo_fails(name); !why.empty())
            return name.append(": ").append(why);
    return {};
}

}  // namespace cli

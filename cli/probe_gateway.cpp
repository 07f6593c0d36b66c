// SPDX-License-Identifier: Apache-2.0
#include "cli/probe_gateway.hpp"

#include <arpa/inet.h>
#include <net/if.h>
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
#include <fstream>
#include <sstream>
#include <system_error>
#include <vector>

#include "netlink/descriptor.hpp"

namespace cli {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kLimit{3000};

struct Gateway {
    bool v6 = false;
    in6_addr ip{};     ///< of IPv4 the first four bytes
    std::string port;  ///< what it is behind: a link-local address is nothing without

    bool operator==(const Gateway& other) const {
        return v6 == other.v6 && port == other.port && std::memcmp(&ip, &other.ip, sizeof ip) == 0;
    }
};

std::string words(int code) {
    return std::generic_category().message(code);
}

/// The kernel writes hexadecimal, IPv4 in network order as it lies (proc_net(5)).
void add_ipv4(std::vector<Gateway>& all) {
    std::ifstream file("/proc/net/route");
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
        std::istringstream fields(line);
        Gateway found;
        std::uint32_t to = 0;
        std::uint32_t gateway = 0;
        fields >> found.port >> std::hex >> to >> gateway;
        if (!fields || to != 0 || gateway == 0) continue;
        std::memcpy(&found.ip, &gateway, sizeof gateway);
        all.push_back(found);
    }
}

in6_addr parse_hexadecimal(const std::string& digits) {
    in6_addr out = {};
    for (std::size_t i = 0; i < sizeof out && i * 2 + 1 < digits.size(); ++i)
        out.s6_addr[i] =
            static_cast<std::uint8_t>(std::stoul(digits.substr(i * 2, 2), nullptr, 16));
    return out;
}

/// Destination, its length, source, its length, gateway, metric, two counts, flags, port
/// (net/ipv6/route.c, rt6_seq_show).
void add_ipv6(std::vector<Gateway>& all) {
    std::ifstream file("/proc/net/ipv6_route");
    std::string line;
    while (std::getline(file, line)) {
        std::istringstream fields(line);
        std::string to;
        std::string length;
        std::string gateway;
        std::string other;
        Gateway found;
        found.v6 = true;
        fields >> to >> length >> other >> other >> gateway >> other >> other >> other >> other >>
            found.port;
        const bool unset = gateway.find_first_not_of('0') == std::string::npos;
        if (!fields || length != "00" || unset) continue;
        found.ip = parse_hexadecimal(gateway);
        all.push_back(found);
    }
}

std::vector<Gateway> gateways() {
    std::vector<Gateway> all;
    add_ipv4(all);
    add_ipv6(all);
    std::vector<Gateway> out;
    for (const Gateway& one : all)
        if (std::ranges::find(out, one) == out.end()) out.push_back(one);
    return out;
}

std::string text(const Gateway& gateway) {
    std::array<char, INET6_ADDRSTRLEN> name = {};
    ::inet_ntop(gateway.v6 ? AF_INET6 : AF_INET, &gateway.ip, name.data(), name.size());
    std::string out(name.data());
    if (gateway.v6 && IN6_IS_ADDR_LINKLOCAL(&gateway.ip)) out += '%' + gateway.port;
    return out;
}

bool connect_to(int socket, const Gateway& gateway) {
    if (gateway.v6) {
        sockaddr_in6 to = {};
        to.sin6_family = AF_INET6;
        to.sin6_addr = gateway.ip;
        to.sin6_scope_id = ::if_nametoindex(gateway.port.c_str());
        return ::connect(socket, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
    }
    sockaddr_in to = {};
    to.sin_family = AF_INET;
    std::memcpy(&to.sin_addr, &gateway.ip, sizeof to.sin_addr);
    return ::connect(socket, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
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

std::string echo_fails(const Gateway& gateway) {
    constexpr int kind = SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK;
    const netlink::Descriptor raw(gateway.v6 ? ::socket(AF_INET6, kind, IPPROTO_ICMPV6)
                                             : ::socket(AF_INET, kind, IPPROTO_ICMP));
    if (raw.number() < 0) return "no socket for it: " + words(errno);
    if (!connect_to(raw.number(), gateway)) return words(errno);
    const auto request = request_of(gateway.v6);
    const auto end = Clock::now() + kLimit;
    while (Clock::now() < end) {
        // The first one may be lost while the neighbour is looked for.
        if (::send(raw.number(), request.data(), request.size(), 0) < 0 && errno != EAGAIN)
            return words(errno);
        const auto soon = std::min(end, Clock::now() + std::chrono::seconds(1));
        while (readable(raw.number(), soon)) {
            std::array<std::uint8_t, 128> packet = {};
            const ssize_t got = ::recv(raw.number(), packet.data(), packet.size(), 0);
            if (got < 0) return words(errno);
            if (is_reply(gateway.v6, packet.data(), static_cast<std::size_t>(got))) return {};
        }
    }
    return "no answer in 3 s";
}

}  // namespace

std::string gateway_fails(const std::string& /*nothing*/) {
    const std::vector<Gateway> all = gateways();
    if (all.empty()) return "there is no default gateway";
    for (const Gateway& gateway : all)
        if (const std::string why = echo_fails(gateway); !why.empty())
            return text(gateway) + ": " + why;
    return {};
}

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#include "cli/probe_network.hpp"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/ip_icmp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <system_error>
#include <vector>

#include "verbs/peer.hpp"

namespace cli {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kLimit{3000};

class Socket {
public:
    Socket(int family, int type, int protocol)
        : number_(::socket(family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol)) {}
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;
    ~Socket() {
        if (number_ >= 0) ::close(number_);
    }
    [[nodiscard]] int number() const { return number_; }

private:
    int number_;
};

std::string words(int code) {
    return std::generic_category().message(code);
}

/// Whether the socket has what is asked for before the time is over.
bool ready(int socket, short events, Clock::time_point end) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
    if (left.count() <= 0) return false;
    struct pollfd wanted = {.fd = socket, .events = events, .revents = 0};
    return ::poll(&wanted, 1, static_cast<int>(left.count())) > 0;
}

/// The gateways of the default routes (proc_net(5): hexadecimal, in network order as it lies).
std::vector<in_addr> gateways() {
    std::vector<in_addr> out;
    std::ifstream file("/proc/net/route");
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
        std::istringstream fields(line);
        std::string port;
        std::uint32_t to = 0;
        in_addr gateway = {};
        fields >> port >> std::hex >> to >> gateway.s_addr;
        if (fields && to == 0 && gateway.s_addr != 0) out.push_back(gateway);
    }
    return out;
}

/// The checksum of RFC 1071.
std::uint16_t checksum(const std::uint8_t* bytes, std::size_t size) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i + 1 < size; i += 2)
        sum += static_cast<std::uint32_t>(bytes[i] << 8U | bytes[i + 1]);
    while (sum > 0xFFFFU)
        sum = (sum & 0xFFFFU) + (sum >> 16U);
    return htons(static_cast<std::uint16_t>(~sum & 0xFFFFU));
}

bool is_reply_from(const std::vector<std::uint8_t>& packet, std::size_t header) {
    return packet.size() > header && packet[header] == ICMP_ECHOREPLY;
}

std::string echo_fails(in_addr address) {
    const std::unique_ptr<Socket> raw = std::make_unique<Socket>(AF_INET, SOCK_RAW, IPPROTO_ICMP);
    if (raw->number() < 0) return "no socket for it: " + words(errno);
    sockaddr_in to = {};
    to.sin_family = AF_INET;
    to.sin_addr = address;
    if (::connect(raw->number(), reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0)
        return words(errno);
    std::array<std::uint8_t, 8> request = {ICMP_ECHO};
    const std::uint16_t sum = checksum(request.data(), request.size());
    std::memcpy(request.data() + 2, &sum, sizeof sum);
    const auto end = Clock::now() + kLimit;
    while (Clock::now() < end) {
        // The first one may be lost while the neighbour is looked for.
        if (::send(raw->number(), request.data(), request.size(), 0) < 0 && errno != EAGAIN)
            return words(errno);
        const auto soon = std::min(end, Clock::now() + std::chrono::seconds(1));
        while (ready(raw->number(), POLLIN, soon)) {
            std::vector<std::uint8_t> packet(128);
            const ssize_t got = ::recv(raw->number(), packet.data(), packet.size(), 0);
            if (got < 0) return words(errno);
            packet.resize(static_cast<std::size_t>(got));
            const std::size_t header =
                packet.empty() ? 0 : static_cast<std::size_t>(packet[0] & 0xFU) * 4;
            if (is_reply_from(packet, header)) return {};
        }
    }
    return "no answer in 3 s";
}

std::string connect_fails(const addrinfo& to) {
    const Socket socket(to.ai_family, SOCK_STREAM, IPPROTO_TCP);
    if (socket.number() < 0) return words(errno);
    if (::connect(socket.number(), to.ai_addr, to.ai_addrlen) == 0) return {};
    if (errno != EINPROGRESS) return words(errno);
    if (!ready(socket.number(), POLLOUT, Clock::now() + kLimit)) return "no answer in 3 s";
    int code = 0;
    socklen_t size = sizeof code;
    ::getsockopt(socket.number(), SOL_SOCKET, SO_ERROR, &code, &size);
    return code == 0 ? std::string() : words(code);
}

}  // namespace

std::string gateway_fails(const std::string& /*nothing*/) {
    const std::vector<in_addr> all = gateways();
    if (all.empty()) return "there is no default gateway";
    for (const in_addr& gateway : all) {
        std::array<char, INET_ADDRSTRLEN> name = {};
        ::inet_ntop(AF_INET, &gateway, name.data(), name.size());
        if (const std::string why = echo_fails(gateway); !why.empty())
            return std::string(name.data()) + ": " + why;
    }
    return {};
}

std::string tcp_fails(const std::string& address) {
    const std::size_t colon = address.rfind(':');
    std::string host = address.substr(0, colon);
    if (host.size() > 2 && host.front() == '[' && host.back() == ']')
        host = host.substr(1, host.size() - 2);
    addrinfo hints = {};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    const int failed =
        ::getaddrinfo(host.c_str(), address.substr(colon + 1).c_str(), &hints, &found);
    if (failed != 0) return ::gai_strerror(failed);
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> all(found, ::freeaddrinfo);
    std::string why = "no address";
    for (const addrinfo* one = all.get(); one != nullptr && !why.empty(); one = one->ai_next)
        why = connect_fails(*one);
    return why;
}

std::string rdma_fails(const std::string& host) {
    return verbs::peer_fails(host, kLimit);
}

}  // namespace cli

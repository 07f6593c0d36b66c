// SPDX-License-Identifier: Apache-2.0
#include "cli/confirm/probe_network.hpp"
#include "cli/confirm/probe.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <chrono>
#include <memory>
#include <system_error>

#include "cli/run/child.hpp"
#include "netlink/transport/descriptor.hpp"
#include "verbs/peer.hpp"

namespace cli {
namespace {

constexpr std::chrono::milliseconds kPeerLimit{3000};

std::string connect_fails(const addrinfo& to) {
    const netlink::Descriptor socket(
        ::socket(to.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP));
    if (socket.number() < 0) return error_words(errno);
    if (::connect(socket.number(), to.ai_addr, to.ai_addrlen) == 0) return {};
    if (errno != EINPROGRESS) return error_words(errno);
    struct pollfd wanted = {.fd = socket.number(), .events = POLLOUT, .revents = 0};
    if (::poll(&wanted, 1, static_cast<int>(kPeerLimit.count())) <= 0) return "no answer in 3 s";
    int code = 0;
    socklen_t size = sizeof code;
    ::getsockopt(socket.number(), SOL_SOCKET, SO_ERROR, &code, &size);
    return code == 0 ? std::string() : error_words(code);
}

}  // namespace

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
    // librdmacm keeps files open from its first call on; a guard closes all that it did not open.
    const Answer answer =
        in_child([&host] { return verbs::peer_fails(host, kPeerLimit); }, 2 * kPeerLimit);
    return answer.text.value_or("no answer in 6 s");
}

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#include "cli/confirm/guard_probe_kinds.hpp"

#include <netdb.h>

#include <array>
#include <chrono>
#include <functional>
#include <sstream>

#include "cli/confirm/guard_probe.hpp"
#include "cli/files/trust.hpp"
#include "cli/probe/active.hpp"
#include "cli/run/child.hpp"
#include "core/error.hpp"
#include "verbs/rdma_cm.hpp"
#include "verbs/socket.hpp"

namespace cli {
namespace {

constexpr std::chrono::milliseconds kNameLimit{5000};
constexpr std::chrono::milliseconds kPeerLimit{3000};
constexpr std::chrono::milliseconds kProbeLimit{20'000};

/// HOST:PORT in two; an IPv6 address may stand in brackets.
verbs::HostPort parted(const std::string& address) {
    const std::size_t colon = address.rfind(':');
    verbs::HostPort out{.host = address.substr(0, colon), .port = address.substr(colon + 1)};
    if (out.host.size() > 2 && out.host.front() == '[' && out.host.back() == ']')
        out.host = out.host.substr(1, out.host.size() - 2);
    return out;
}

/// With its zone, where it has one (getnameinfo(3)).
std::string numeric(const verbs::SocketAddress& address) {
    std::array<char, NI_MAXHOST> text = {};
    if (::getnameinfo(address.get(), address.size, text.data(), text.size(), nullptr, 0,
                      NI_NUMERICHOST) != 0)
        return address.text();
    return text.data();
}

/// The addresses of a host, each as `spelled` has it.
std::string resolved(const std::string& host,
                     const std::function<std::string(const verbs::SocketAddress&)>& spelled) {
    const auto look_up = [&] {
        std::string out;
        for (const verbs::SocketAddress& one : verbs::addresses_of("[" + host + "]"))
            out += (out.empty() ? "" : " ") + spelled(one);
        return out;
    };
    const Answer answer = in_child(look_up, kNameLimit);
    if (!answer.text) throw core::Error(core::Status::failed, host + " is not resolved within 5 s");
    return *answer.text;
}

/// Empty where it holds for one of the addresses; else why not for the last.
std::string fails_at_all(const std::string& addresses,
                         const std::function<std::string(const std::string&)>& fails) {
    std::string why = "no address";
    std::istringstream words(addresses);
    for (std::string address; !why.empty() && words >> address;)
        why = fails(address);
    return why;
}

std::string connection_fails(const std::string& address) {
    const verbs::HostPort peer = parted(address);
    return verbs::connect_tcp(peer.host, peer.port, kPeerLimit).why;
}

std::string peer_fails(const std::string& host) {
    // Who listens at the port of probe servers is one; else rdma_cm asks the host alone.
    if (verbs::connect_tcp(host, std::to_string(verbs::kProbePort), kPeerLimit).socket.number() >=
        0)
        return probe_actively({.host = host,
                               .only_trusted = is_root_of_machine(),
                               .latency = false,
                               .limit = kProbeLimit})
            .failure;
    // librdmacm keeps files open from its first call on; a guard closes all that it did not open.
    const Answer answer =
        in_child([&host] { return verbs::peer_fails(host, kPeerLimit); }, 2 * kPeerLimit);
    return answer.text.value_or("no answer in 6 s");
}

}  // namespace

std::string tcp_addresses(const std::string& host_and_port) {
    const verbs::HostPort peer = parted(host_and_port);
    return resolved(peer.host, [&peer](const verbs::SocketAddress& address) {
        const std::string host = numeric(address);
        return (address.is_v6() ? "[" + host + "]" : host) + ":" + peer.port;
    });
}

std::string tcp_fails(const std::string& addresses) {
    return fails_at_all(addresses, connection_fails);
}

std::string rdma_addresses(const std::string& host) {
    return resolved(host, numeric);
}

std::string rdma_fails(const std::string& addresses) {
    return fails_at_all(addresses, peer_fails);
}

}  // namespace cli

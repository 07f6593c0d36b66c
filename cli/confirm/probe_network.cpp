// SPDX-License-Identifier: Apache-2.0
#include "cli/confirm/probe_network.hpp"
#include "cli/confirm/probe.hpp"

#include <chrono>

#include "cli/files/trust.hpp"
#include "cli/probe/active.hpp"
#include "cli/run/child.hpp"
#include "verbs/rdma_cm.hpp"
#include "verbs/socket.hpp"

namespace cli {
namespace {

constexpr std::chrono::milliseconds kPeerLimit{3000};
constexpr std::chrono::milliseconds kProbeLimit{20'000};

}  // namespace

std::string tcp_fails(const std::string& address) {
    const std::size_t colon = address.rfind(':');
    std::string host = address.substr(0, colon);
    if (host.size() > 2 && host.front() == '[' && host.back() == ']')
        host = host.substr(1, host.size() - 2);
    return verbs::connect_tcp(host, address.substr(colon + 1), kPeerLimit).why;
}

std::string rdma_fails(const std::string& host) {
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

}  // namespace cli

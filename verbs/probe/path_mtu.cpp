// SPDX-License-Identifier: Apache-2.0
#include "verbs/probe/run_parts.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "verbs/datagram.hpp"
#include "verbs/probe/messages.hpp"

namespace verbs {
namespace {

using core::probe::Message;
using core::probe::number_in;
using core::probe::PathMtu;
using core::probe::PathSearch;
using std::chrono::milliseconds;

/// One that is lost for another reason than its length does not come twice more.
constexpr int kTries = 3;
/// The control connection goes to and fro in between, so that a long path has its time.
constexpr milliseconds kToArrive{100};

bool goes_out(ProbeClient& client, Datagrams& own, std::uint32_t size) {
    for (int i = 0; i < kTries; ++i) {
        if (!own.send(size)) return false;
        if (number_in(client.ask({.kind = "packet_came", .numbers = {{"size", size}}}), "came", 0,
                      1) == 1)
            return true;
    }
    return false;
}

bool comes_back(ProbeClient& client, Datagrams& own, std::uint32_t size) {
    for (int i = 0; i < kTries; ++i) {
        if (number_in(client.ask({.kind = "packet_send", .numbers = {{"size", size}}}), "sent", 0,
                      1) == 0)
            return false;
        if (own.has_come(size, kToArrive)) return true;
    }
    return false;
}

std::uint32_t found_by(ProbeClient& client, Datagrams& own, std::uint32_t ports,
                       bool (*passes)(ProbeClient&, Datagrams&, std::uint32_t)) {
    PathSearch search(ports, client.rail().address.v6);
    while (const auto size = search.next())
        search.tell(*size, passes(client, own, *size));
    return search.found();
}

PathMtu search_both(ProbeClient& client) {
    const std::uint64_t token = random_token();
    const Message opened =
        client.ask({.kind = "packet_open",
                    .numbers = {{"token", token},
                                {"force", client.options().force ? 1U : 0U},
                                {"traffic_class", client.options().traffic_class}}});
    PathMtu out{.here = client.rail().mtu,
                .peer = static_cast<std::uint32_t>(number_in(opened, "mtu", 68, kMostPacket))};
    Datagrams own(client.rail().address, client.rail().port, token, client.options().traffic_class);
    own.set_peer(address_said(opened),
                 static_cast<std::uint16_t>(number_in(opened, "port", 1, 65535)));
    const std::uint32_t ports = std::min({out.here, out.peer, kMostPacket});
    out.out = found_by(client, own, ports, goes_out);
    // The peer sends only to who has sent it the token.
    if (out.out != 0) out.back = found_by(client, own, ports, comes_back);
    client.ask({.kind = "packet_shut"});
    return out;
}

}  // namespace

PathMtu run_path_mtu(ProbeClient& client) {
    try {
        return search_both(client);
    } catch (const core::Error& error) {
        return {.failure = std::string("the path MTU is not known: ") + error.what()};
    }
}

}  // namespace verbs

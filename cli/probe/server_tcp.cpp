// SPDX-License-Identifier: Apache-2.0
// What a server does over TCP connections beside the one of its channel.
#include <sys/socket.h>

#include "cli/measuring.hpp"
#include "cli/probe/exchange.hpp"
#include "cli/probe/server.hpp"
#include "cli/probe/socket.hpp"
#include "cli/probe/tcp.hpp"
#include "cli/probe/tcp_rpc.hpp"
#include "core/error.hpp"
#include "verbs/rpc.hpp"

namespace cli {

using core::probe::number_in;

namespace {

core::probe::Calls calls_in(const core::probe::Message& message) {
    return {.writes = number_in(message, "writes", 0, 1) == 1,
            .size = number_in(message, "size", 1, kMostBytes),
            .depth = static_cast<unsigned>(number_in(message, "depth", 1, kMostCalls)),
            .number = number_in(message, "calls", 1, kMostMessages),
            .checked = number_in(message, "checked", 0, 1) == 1};
}

}  // namespace

core::probe::Message ProbeServer::join(const Message& message) {
    constexpr std::uint64_t kOneByte = 255;
    streams_.reset();
    const std::uint64_t opening = openings_++;
    if (terms_.listener == nullptr)
        throw core::Error(core::Status::failed, "this server takes no data connections");
    const auto connections =
        static_cast<unsigned>(number_in(message, "connections", 1, kMostPairs));
    const auto traffic_class =
        static_cast<std::uint8_t>(number_in(message, "traffic_class", 0, kOneByte));
    const verbs::Completion completion =
        completion_named(core::probe::word_in(message, "completion"));
    std::vector<Key> tokens;
    for (unsigned i = 0; i < connections; ++i)
        tokens.push_back(control_connection_.token(ControlConnection::Side::client, opening, i));
    std::vector<netlink::Descriptor> sockets = terms_.listener->claimed(
        tokens, peer_address(control_connection_.number()), [this] { poll_client(); });
    for (unsigned i = 0; i < connections; ++i) {
        set_traffic_class(sockets[i].number(), traffic_class);
        const Key token = control_connection_.token(ControlConnection::Side::server, opening, i);
        ::send(sockets[i].number(), token.data(), token.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    }
    streams_.emplace(std::move(sockets), completion);
    return {.kind = "joined"};
}

Streams& ProbeServer::streams() {
    if (!streams_) throw core::Error(core::Status::failed, "no data connection is open");
    return *streams_;
}

core::probe::Message ProbeServer::tcp_pong(const Message& message) {
    const Echo what{.size = number_in(message, "size", 1, kMostBytes),
                    .iterations = number_in(message, "iterations", 1, kMostMessages)};
    Streams& over = streams();
    return timed(message,
                 [&](verbs::Wait& wait, Message& /*ended*/) { pong_by_tcp(over, what, wait); });
}

core::probe::Message ProbeServer::tcp_receive_stream(const Message& message) {
    Streams& over = streams();
    return timed(message, [&](verbs::Wait& wait, Message& ended) {
        ended.numbers["received"] = receive_stream_by_tcp(over, wait);
    });
}

core::probe::Message ProbeServer::answer_calls(const Message& message) {
    const core::probe::Calls what = calls_in(message);
    const core::probe::CallRoom room{.size = what.size, .depth = what.depth};
    if (room.bytes() > room_ || verbs::requests_of(what.depth) > depth_)
        throw core::Error(core::Status::failed, "the endpoint that is open has less room");
    verbs::Endpoint& over = endpoint();
    verbs::prepare_calls(over, what);
    return timed(message,
                 [&](verbs::Wait& wait, Message& /*ended*/) { verbs::answer(over, what, wait); });
}

core::probe::Message ProbeServer::tcp_answer(const Message& message) {
    const core::probe::Calls what = calls_in(message);
    Streams& over = streams();
    return timed(message,
                 [&](verbs::Wait& wait, Message& /*ended*/) { answer_by_tcp(over, what, wait); });
}

}  // namespace cli

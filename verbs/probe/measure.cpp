// SPDX-License-Identifier: Apache-2.0
#include <sys/socket.h>

#include <optional>

#include "core/error.hpp"
#include "verbs/bandwidth.hpp"
#include "verbs/latency.hpp"
#include "verbs/probe/messages.hpp"
#include "verbs/probe/run_parts.hpp"
#include "verbs/rpc.hpp"
#include "verbs/socket.hpp"
#include "verbs/streams.hpp"

namespace verbs {
namespace {

using core::probe::Direction;
using core::probe::Measurement;
using core::probe::Message;
using core::probe::number_in;
using core::probe::Operation;
using core::probe::Trial;
using std::chrono::milliseconds;

constexpr milliseconds kJoinLimit{5000};

void expect_kind(const Message& answer, std::string_view kind) {
    if (answer.kind != kind)
        throw core::Error(core::Status::failed, "the peer sent '" + answer.kind + "' where '" +
                                                    std::string(kind) + "' was expected");
}

/// Opens data connections beside the control connection, authenticated by its tokens.
Streams join_streams(ProbeClient& client, const Measurement& what) {
    const ControlConnection& control_connection = client.control_connection();
    const std::uint64_t opening = client.next_opening();
    client.tell({.kind = "join",
                 .numbers = {{"connections", what.queue_pairs},
                             {"room", room_for(what)},
                             {"traffic_class", client.options().traffic_class}},
                 .words = {{"completion", client.options().completion}}});
    std::vector<netlink::Descriptor> sockets;
    for (unsigned i = 0; i < what.queue_pairs; ++i) {
        sockets.push_back(connect_beside(control_connection.number(),
                                         client.options().traffic_class, kJoinLimit));
        const Key token = control_connection.token(ControlConnection::Side::client, opening, i);
        if (::send(sockets.back().number(), token.data(), token.size(), MSG_NOSIGNAL) !=
            static_cast<ssize_t>(token.size()))
            throw StreamBroken("a data connection took nothing");
    }
    expect_kind(client.await_answer(kJoinLimit + milliseconds{1000}), "joined");
    Streams out(std::move(sockets), completion_named(client.options().completion), room_for(what));
    Wait wait = client.wait();
    for (unsigned i = 0; i < what.queue_pairs; ++i) {
        out.post_receive(sizeof(Key), i);
        out.received(wait);
        const Key token = control_connection.token(ControlConnection::Side::server, opening, i);
        if (!std::ranges::equal(out.incoming().first(token.size()), token))
            throw core::Error(core::Status::failed,
                              "a data connection reached another than the peer");
    }
    return out;
}

/// The server is told what is to be done, and is about to do its part.
void begin_work(ProbeClient& client, const Measurement& what) {
    const milliseconds longer = what.bandwidth ? what.duration : milliseconds{0};
    expect_kind(client.ask(message_of(what, client.options().limit + longer)), "ready");
}

void measure_latency(ProbeClient& client, Transport& over, const Measurement& what, Trial& out) {
    // What comes back first is taken in what was posted before the peer begins.
    prepare_pong(over, what);
    begin_work(client, what);
    const CpuTime cpu_time;
    Wait wait = client.wait();
    const std::vector<std::uint64_t> times = ping(over, what, wait);
    if (what.operation == Operation::read)
        client.tell({.kind = "sent", .numbers = {{"messages", what.number}}});
    out.processor = cpu_time.share(client.await_answer(client.options().limit));
    out.latency.emplace();
    const unsigned halves = what.operation == Operation::read ? 1 : 2;
    for (const std::uint64_t time : times)
        out.latency->times.add(time / halves);
    if (!uses_tcp(what))
        out.latency->perftest = core::probe::perftest_latency(what.operation, times);
}

/// Of the peer's messages, as it says.
core::probe::Bandwidth peer_bandwidth(const Message& answer, std::uint64_t size) {
    // What says more than this side could have counted is no answer of this protocol.
    const std::uint64_t messages = number_in(answer, "messages", 1, UINT32_MAX);
    return {.messages = messages,
            .bytes = messages * size,
            .nanoseconds = number_in(answer, "nanoseconds", 1, UINT64_MAX)};
}

void measure_bandwidth(ProbeClient& client, Transport& over, const Measurement& what, Trial& out) {
    prepare_stream(over, what, true);
    begin_work(client, what);
    const CpuTime cpu_time;
    Wait wait = client.wait(what.duration);
    const StreamSide side = {
        .client = true,
        .sent =
            [&](std::uint64_t messages) {
                client.tell({.kind = "sent", .numbers = {{"messages", messages}}});
            },
        // Until the peer says how many it has sent, and these have come.
        .expected = [&]() -> std::uint64_t {
            const Message* said = client.early();
            return said == nullptr ? 0 : peer_bandwidth(*said, 1).messages;
        }};
    const core::probe::Bandwidth own = run_stream(over, what, side, wait);
    const Message ended =
        client.await_answer(client.options().limit +
                            (what.direction == Direction::in ? what.duration : milliseconds{0}));
    out.processor = cpu_time.share(ended);
    out.bandwidth = what.direction == Direction::in ? peer_bandwidth(ended, what.size) : own;
    if (what.direction == Direction::both) out.back = peer_bandwidth(ended, what.size);
}

/// Until the peer has all: what the kernel here has taken may still be under way.
void measure_tcp_bandwidth(ProbeClient& client, Streams& over, const Measurement& what,
                           Trial& out) {
    begin_work(client, what);
    const CpuTime cpu_time;
    const auto start = Wait::Clock::now();
    Wait wait = client.wait(what.duration);
    out.bandwidth = run_stream(over, what, {.client = true}, wait);
    over.finish();
    const Message ended = client.await_answer(client.options().limit);
    out.processor = cpu_time.share(ended);
    out.bandwidth->nanoseconds = nanoseconds_since(start);
    const std::uint64_t received = number_in(ended, "received", 0, UINT64_MAX);
    if (received != out.bandwidth->bytes)
        throw core::Error(core::Status::failed, "tcp: the peer received " +
                                                    std::to_string(received) + " bytes of " +
                                                    std::to_string(out.bandwidth->bytes));
}

/// Both sides do so many calls.
Called called(ProbeClient& client, Transport& over, const Measurement& what, Trial& out) {
    // A reply is to find a receive, however soon it comes.
    prepare_calls(over, what, true);
    begin_work(client, what);
    const CpuTime cpu_time;
    Wait wait = client.wait();
    Called done = call(over, what, wait);
    out.processor = cpu_time.share(client.await_answer(client.options().limit));
    return done;
}

/// As many calls as run concurrently go first, with the data compared on both sides.
void measure_calls(ProbeClient& client, Transport& over, const Measurement& what, Trial& out) {
    Measurement check = what;
    check.number = what.depth;
    check.checked = true;
    called(client, over, check, out);
    const Called done = called(client, over, what, out);
    out.data = what.writes ? "write" : "read";
    out.bandwidth = core::probe::Bandwidth{
        .messages = what.number, .bytes = what.number * what.size, .nanoseconds = done.nanoseconds};
    out.latency.emplace();
    for (const std::uint64_t time : done.times)
        out.latency->times.add(time);
}

}  // namespace

Trial measure(ProbeClient& client, const Measurement& what) {
    std::optional<Streams> streams;
    Trial out{.operation = what.operation,
              .size = what.size,
              .queue_pairs = what.queue_pairs,
              .depth = what.depth,
              .completion = client.options().completion,
              .direction = what.direction};
    if (uses_tcp(what)) {
        streams.emplace(join_streams(client, what));
    } else {
        const Endpoint& endpoint = client.open(
            {.queue_pairs = what.queue_pairs, .depth = requests_for(what), .room = room_for(what)});
        if (core::probe::is_rdma_operation(what.operation))
            out.wire_bytes = core::probe::wire_bytes(what.operation, what.size, endpoint.mtu(),
                                                     client.rail().address.v6);
    }
    Transport& over = streams ? static_cast<Transport&>(*streams) : client.endpoint();
    if (is_calls(what))
        measure_calls(client, over, what, out);
    else if (!what.bandwidth)
        measure_latency(client, over, what, out);
    else if (streams)
        measure_tcp_bandwidth(client, *streams, what, out);
    else
        measure_bandwidth(client, over, what, out);
    return out;
}

}  // namespace verbs

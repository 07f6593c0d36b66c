// SPDX-License-Identifier: Apache-2.0
#include "verbs/probe/run_parts.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "verbs/bandwidth.hpp"
#include "verbs/latency.hpp"
#include "verbs/probe/messages.hpp"
#include "verbs/socket.hpp"
#include "verbs/tcp.hpp"
#include "verbs/tcp_rpc.hpp"

namespace verbs {
namespace {

using core::probe::Direction;
using core::probe::Message;
using core::probe::number_in;
using core::probe::Operation;
using core::probe::Trial;

Message begin(std::string_view kind, Operation operation, std::uint64_t size,
              std::chrono::milliseconds limit) {
    return {.kind = std::string(kind),
            .numbers = {{"size", size}, {"limit", static_cast<std::uint64_t>(limit.count())}},
            .words = {{"operation", std::string(core::probe::name_of(operation))}}};
}

void expect_ready(const Message& answer) {
    if (answer.kind != "ready")
        throw core::Error(core::Status::failed,
                          "the peer sent '" + answer.kind + "' where 'ready' was expected");
}

bool is_ipv6(const Rail& rail) {
    return rail.address.v6;
}

Message stream_message(const ProbeClient& client, std::string_view kind, const Stream& what) {
    Message out = begin(kind, what.operation, what.size, client.options().limit + what.duration);
    out.numbers["depth"] = what.depth;
    return out;
}

Trial stream_out(ProbeClient& client, Trial out, const Stream& what) {
    expect_ready(client.ask(stream_message(client, "drain", what)));
    const CpuTime cpu_time;
    Wait wait = client.wait(what.duration);
    out.bandwidth = send_stream(client.endpoint(), what, wait);
    client.tell({.kind = "sent", .numbers = {{"messages", out.bandwidth->messages}}});
    out.processor = cpu_time.share(client.await_answer(client.options().limit));
    return out;
}

Message stream_message(const ProbeClient& client, const Stream& what, bool both) {
    Message out = stream_message(client, "pour", what);
    out.numbers["duration"] = static_cast<std::uint64_t>(what.duration.count());
    out.numbers["rate"] = what.bits_a_second;
    out.numbers["both"] = both ? 1 : 0;
    return out;
}

core::probe::Bandwidth received_stream(const Message& answer, std::uint64_t size) {
    // What says more than this side could have counted is no answer of this protocol.
    const std::uint64_t messages = number_in(answer, "messages", 1, UINT32_MAX);
    return {.messages = messages,
            .bytes = messages * size,
            .nanoseconds = number_in(answer, "nanoseconds", 1, UINT64_MAX)};
}

/// Until the peer says how many it has sent, and these have come.
void receive_rest(ProbeClient& client, const Stream& what, Wait& wait, std::uint64_t received) {
    receive_stream(
        client.endpoint(), what, wait,
        [&client]() -> std::uint64_t {
            const Message* said = client.early();
            return said == nullptr ? 0 : received_stream(*said, 1).messages;
        },
        received);
}

Trial stream_in(ProbeClient& client, Trial out, const Stream& what) {
    prepare_receive_stream(client.endpoint(), what);
    expect_ready(client.ask(stream_message(client, what, false)));
    const CpuTime cpu_time;
    Wait wait = client.wait(what.duration);
    if (what.operation == Operation::send) receive_rest(client, what, wait, 0);
    const Message ended = client.await_answer(client.options().limit + what.duration);
    out.bandwidth = received_stream(ended, what.size);
    out.processor = cpu_time.share(ended);
    return out;
}

Trial stream_both(ProbeClient& client, Trial out, const Stream& what) {
    prepare_receive_stream(client.endpoint(), what);
    expect_ready(client.ask(stream_message(client, what, true)));
    const CpuTime cpu_time;
    Wait wait = client.wait(what.duration);
    const bool receives = what.operation == Operation::send;
    std::uint64_t received = 0;
    out.bandwidth =
        send_stream(client.endpoint(), what, wait, [&client, &what, &received, receives] {
            while (receives && take_one(client.endpoint(), what))
                ++received;
        });
    client.tell({.kind = "sent", .numbers = {{"messages", out.bandwidth->messages}}});
    if (receives) receive_rest(client, what, wait, received);
    const Message ended = client.await_answer(client.options().limit);
    out.back = received_stream(ended, what.size);
    out.processor = cpu_time.share(ended);
    return out;
}

}  // namespace

Trial measure_latency(ProbeClient& client, Operation operation, std::uint64_t size,
                      std::uint64_t iterations) {
    constexpr unsigned kDepth = 2;
    Endpoint& endpoint = client.open({.queue_pairs = 1, .depth = kDepth, .room = size});
    const PingPong what{.operation = operation, .size = size, .iterations = iterations};
    Message asked = begin("pong", operation, size, client.options().limit);
    asked.numbers["iterations"] = iterations;
    // What comes back first is taken in what was posted before the peer begins.
    prepare_pong(endpoint, what);
    expect_ready(client.ask(asked));
    const CpuTime cpu_time;
    Wait wait = client.wait();
    const std::vector<std::uint64_t> times = ping(endpoint, what, wait);
    if (operation == Operation::read)
        client.tell({.kind = "sent", .numbers = {{"messages", iterations}}});
    const Message ended = client.await_answer(client.options().limit);
    Trial out{.operation = operation,
              .size = size,
              .completion = client.options().completion,
              .latency = core::probe::Latency{},
              .wire_bytes =
                  core::probe::wire_bytes(operation, size, endpoint.mtu(), is_ipv6(client.rail())),
              .processor = cpu_time.share(ended)};
    const unsigned halves = operation == Operation::read ? 1 : 2;
    for (const std::uint64_t time : times)
        out.latency->times.add(time / halves);
    out.latency->perftest = core::probe::perftest_latency(operation, times);
    return out;
}

Trial measure_bandwidth(ProbeClient& client, Operation operation, const Load& load) {
    const Endpoint& endpoint =
        client.open({.queue_pairs = load.queue_pairs, .depth = load.depth, .room = load.size});
    const Stream what{.operation = operation,
                      .size = load.size,
                      .depth = load.depth,
                      .messages = load.messages,
                      .duration = load.duration,
                      .bits_a_second = load.bits_a_second};
    Trial out{.operation = operation,
              .size = load.size,
              .queue_pairs = load.queue_pairs,
              .depth = load.depth,
              .completion = client.options().completion,
              .direction = load.direction,
              .wire_bytes = core::probe::wire_bytes(operation, load.size, endpoint.mtu(),
                                                    is_ipv6(client.rail()))};
    switch (load.direction) {
        case Direction::out: return stream_out(client, std::move(out), what);
        case Direction::in: return stream_in(client, std::move(out), what);
        case Direction::both: return stream_both(client, std::move(out), what);
    }
    return out;
}

namespace {

using std::chrono::milliseconds;

constexpr milliseconds kJoinLimit{5000};

void expect_kind(const Message& answer, std::string_view kind) {
    if (answer.kind != kind)
        throw core::Error(core::Status::failed, "the peer sent '" + answer.kind + "' where '" +
                                                    std::string(kind) + "' was expected");
}

Message limited(std::string_view kind, milliseconds limit) {
    return {.kind = std::string(kind),
            .numbers = {{"limit", static_cast<std::uint64_t>(limit.count())}},
            .words = {}};
}

Streams streams_by(ProbeClient& client, std::vector<netlink::Descriptor> sockets) {
    return {std::move(sockets), completion_named(client.options().completion)};
}

}  // namespace

Streams join_streams(ProbeClient& client, unsigned connections) {
    const ControlConnection& control_connection = client.control_connection();
    const std::uint64_t opening = client.next_opening();
    client.tell({.kind = "join",
                 .numbers = {{"connections", connections},
                             {"traffic_class", client.options().traffic_class}},
                 .words = {{"completion", client.options().completion}}});
    std::vector<netlink::Descriptor> sockets;
    for (unsigned i = 0; i < connections; ++i) {
        sockets.push_back(connect_beside(control_connection.number(),
                                         client.options().traffic_class, kJoinLimit));
        const Key token = control_connection.token(ControlConnection::Side::client, opening, i);
        if (::send(sockets.back().number(), token.data(), token.size(), MSG_NOSIGNAL) !=
            static_cast<ssize_t>(token.size()))
            throw StreamBroken("a data connection took nothing");
    }
    expect_kind(client.await_answer(kJoinLimit + milliseconds{1000}), "joined");
    Streams out = streams_by(client, std::move(sockets));
    Wait wait = client.wait();
    for (unsigned i = 0; i < connections; ++i) {
        Key found{};
        out.receive(i, found, wait);
        if (found != control_connection.token(ControlConnection::Side::server, opening, i))
            throw core::Error(core::Status::failed,
                              "a data connection reached another than the peer");
    }
    return out;
}

Trial measure_tcp_latency(ProbeClient& client, std::uint64_t size, std::uint64_t iterations) {
    Streams streams = join_streams(client, 1);
    const Echo what{.size = size, .iterations = iterations};
    Message asked = limited("tcp-pong", client.options().limit);
    asked.numbers["size"] = size;
    asked.numbers["iterations"] = iterations;
    expect_kind(client.ask(asked), "ready");
    const CpuTime cpu_time;
    Wait wait = client.wait();
    const std::vector<std::uint64_t> times = ping_by_tcp(streams, what, wait);
    const Message ended = client.await_answer(client.options().limit);
    Trial out{.operation = Operation::tcp,
              .size = size,
              .completion = client.options().completion,
              .latency = core::probe::Latency{},
              .processor = cpu_time.share(ended)};
    for (const std::uint64_t time : times)
        out.latency->times.add(time / 2);
    return out;
}

Trial measure_tcp_bandwidth(ProbeClient& client, const Load& load) {
    Streams streams = join_streams(client, load.queue_pairs);
    expect_kind(client.ask(limited("tcp-drain", client.options().limit + load.duration)), "ready");
    const CpuTime cpu_time;
    const auto start = std::chrono::steady_clock::now();
    Wait wait = client.wait(load.duration);
    Trial out{
        .operation = Operation::tcp,
        .size = load.size,
        .queue_pairs = load.queue_pairs,
        .depth = 0,
        .completion = client.options().completion,
        .bandwidth = stream_by_tcp(
            streams,
            {.size = load.size, .duration = load.duration, .bits_a_second = load.bits_a_second},
            wait)};
    const Message ended = client.await_answer(client.options().limit);
    out.processor = cpu_time.share(ended);
    out.bandwidth->nanoseconds = static_cast<std::uint64_t>(
        std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count());
    const std::uint64_t received = core::probe::number_in(ended, "received", 0, UINT64_MAX);
    if (received != out.bandwidth->bytes)
        throw core::Error(core::Status::failed, "tcp: the peer received " +
                                                    std::to_string(received) + " bytes of " +
                                                    std::to_string(out.bandwidth->bytes));
    return out;
}

namespace {

using core::probe::Calls;

using Work = std::function<Called(const Calls& what, Wait& wait)>;

Calls check_of(const Calls& what) {
    Calls out = what;
    out.number = what.depth;
    out.checked = true;
    return out;
}

/// Both sides do so many calls; what they took.
Trial called(ProbeClient& client, std::string_view kind, const Calls& what, const Work& work) {
    const Message ready = client.ask(
        {.kind = std::string(kind),
         .numbers = {{"limit", static_cast<std::uint64_t>(client.options().limit.count())},
                     {"writes", what.writes ? 1U : 0U},
                     {"size", what.size},
                     {"depth", what.depth},
                     {"calls", what.number},
                     {"checked", what.checked ? 1U : 0U}},
         .words = {}});
    if (ready.kind != "ready")
        throw core::Error(core::Status::failed,
                          "the peer sent '" + ready.kind + "' where 'ready' was expected");
    const CpuTime cpu_time;
    Wait wait = client.wait();
    const Called done = work(what, wait);
    Trial out{.size = what.size,
              .depth = what.depth,
              .completion = client.options().completion,
              .data = what.writes ? "write" : "read",
              .latency = core::probe::Latency{},
              .bandwidth = core::probe::Bandwidth{.messages = what.number,
                                                  .bytes = what.number * what.size,
                                                  .nanoseconds = done.nanoseconds}};
    out.processor = cpu_time.share(client.await_answer(client.options().limit));
    for (const std::uint64_t time : done.times)
        out.latency->times.add(time);
    return out;
}

}  // namespace

Trial measure_rpc(ProbeClient& client, const Calls& what) {
    const core::probe::CallRoom room{.size = what.size, .depth = what.depth};
    Endpoint& endpoint = client.open({.depth = requests_of(what.depth), .room = room.bytes()});
    const Work work = [&](const Calls& calls, Wait& wait) { return call(endpoint, calls, wait); };
    // A reply is to find a receive, however soon it comes.
    prepare_calls(endpoint, check_of(what));
    called(client, "answer", check_of(what), work);
    prepare_calls(endpoint, what);
    Trial out = called(client, "answer", what, work);
    out.operation = Operation::rpc;
    return out;
}

Trial measure_tcp_rpc(ProbeClient& client, const Calls& what) {
    Streams streams = join_streams(client, 1);
    const Work work = [&](const Calls& calls, Wait& wait) {
        return call_by_tcp(streams, calls, wait);
    };
    called(client, "tcp-answer", check_of(what), work);
    Trial out = called(client, "tcp-answer", what, work);
    out.operation = Operation::tcp_rpc;
    return out;
}

}  // namespace verbs

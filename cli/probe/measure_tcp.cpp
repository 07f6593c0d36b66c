// SPDX-License-Identifier: Apache-2.0
#include "cli/probe/measure_tcp.hpp"

#include <sys/socket.h>

#include <algorithm>

#include "cli/probe/connecting.hpp"
#include "cli/probe/cpu_time.hpp"
#include "cli/probe/tcp.hpp"
#include "core/error.hpp"

namespace cli {
namespace {

using core::probe::Message;
using core::probe::Operation;
using core::probe::Trial;
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
    verbs::Wait wait = client.wait();
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
    verbs::Wait wait = client.wait();
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
    verbs::Wait wait = client.wait(load.duration);
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

}  // namespace cli

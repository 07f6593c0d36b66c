// SPDX-License-Identifier: Apache-2.0
#include "cli/probe/measure.hpp"

#include <algorithm>
#include <utility>

#include "cli/probe/cpu_time.hpp"
#include "core/error.hpp"
#include "verbs/bandwidth.hpp"
#include "verbs/latency.hpp"

namespace cli {
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

Message stream_message(const ProbeClient& client, std::string_view kind,
                       const verbs::Stream& what) {
    Message out = begin(kind, what.operation, what.size, client.options().limit + what.duration);
    out.numbers["depth"] = what.depth;
    return out;
}

Trial stream_out(ProbeClient& client, Trial out, const verbs::Stream& what) {
    expect_ready(client.ask(stream_message(client, "drain", what)));
    const CpuTime cpu_time;
    verbs::Wait wait = client.wait(what.duration);
    out.bandwidth = verbs::send_stream(client.endpoint(), what, wait);
    client.tell({.kind = "sent", .numbers = {{"messages", out.bandwidth->messages}}});
    out.processor = cpu_time.share(client.await_answer(client.options().limit));
    return out;
}

Message stream_message(const ProbeClient& client, const verbs::Stream& what, bool both) {
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
void receive_rest(ProbeClient& client, const verbs::Stream& what, verbs::Wait& wait,
                  std::uint64_t received) {
    verbs::receive_stream(
        client.endpoint(), what, wait,
        [&client]() -> std::uint64_t {
            const Message* said = client.early();
            return said == nullptr ? 0 : received_stream(*said, 1).messages;
        },
        received);
}

Trial stream_in(ProbeClient& client, Trial out, const verbs::Stream& what) {
    verbs::prepare_receive_stream(client.endpoint(), what);
    expect_ready(client.ask(stream_message(client, what, false)));
    const CpuTime cpu_time;
    verbs::Wait wait = client.wait(what.duration);
    if (what.operation == Operation::send) receive_rest(client, what, wait, 0);
    const Message ended = client.await_answer(client.options().limit + what.duration);
    out.bandwidth = received_stream(ended, what.size);
    out.processor = cpu_time.share(ended);
    return out;
}

Trial stream_both(ProbeClient& client, Trial out, const verbs::Stream& what) {
    verbs::prepare_receive_stream(client.endpoint(), what);
    expect_ready(client.ask(stream_message(client, what, true)));
    const CpuTime cpu_time;
    verbs::Wait wait = client.wait(what.duration);
    const bool receives = what.operation == Operation::send;
    std::uint64_t received = 0;
    out.bandwidth =
        verbs::send_stream(client.endpoint(), what, wait, [&client, &what, &received, receives] {
            while (receives && verbs::take_one(client.endpoint(), what))
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
    verbs::Endpoint& endpoint = client.open({.queue_pairs = 1, .depth = kDepth, .room = size});
    const verbs::PingPong what{.operation = operation, .size = size, .iterations = iterations};
    Message asked = begin("pong", operation, size, client.options().limit);
    asked.numbers["iterations"] = iterations;
    // What comes back first is taken in what was posted before the peer begins.
    verbs::prepare_pong(endpoint, what);
    expect_ready(client.ask(asked));
    const CpuTime cpu_time;
    verbs::Wait wait = client.wait();
    const std::vector<std::uint64_t> times = verbs::ping(endpoint, what, wait);
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
    const verbs::Endpoint& endpoint =
        client.open({.queue_pairs = load.queue_pairs, .depth = load.depth, .room = load.size});
    const verbs::Stream what{.operation = operation,
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

}  // namespace cli

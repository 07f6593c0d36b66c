// SPDX-License-Identifier: Apache-2.0
#include "cli/probe/measure.hpp"

#include <algorithm>

#include "cli/probe/spent.hpp"
#include "core/error.hpp"
#include "verbs/bandwidth.hpp"
#include "verbs/latency.hpp"

namespace cli {
namespace {

using core::probe::Message;
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

}  // namespace

Trial measure_latency(Caller& caller, Operation operation, std::uint64_t size,
                      std::uint64_t iterations) {
    constexpr unsigned kDepth = 2;
    verbs::Endpoint& endpoint = caller.open({.queue_pairs = 1, .depth = kDepth, .room = size});
    const verbs::PingPong what{.operation = operation, .size = size, .iterations = iterations};
    Message asked = begin("pong", operation, size, caller.options().limit);
    asked.numbers["iterations"] = iterations;
    // What comes back first is taken in what was posted before the peer begins.
    verbs::prepare_pong(endpoint, what);
    expect_ready(caller.ask(asked));
    const Spent spent;
    verbs::Wait wait = caller.wait();
    const std::vector<std::uint64_t> times = verbs::ping(endpoint, what, wait);
    if (operation == Operation::read)
        caller.tell({.kind = "sent", .numbers = {{"messages", iterations}}});
    const Message ended = caller.await_answer(caller.options().limit);
    Trial out{.operation = operation,
              .size = size,
              .completion = caller.options().completion,
              .latency = core::probe::Latency{},
              .wire_bytes =
                  core::probe::wire_bytes(operation, size, endpoint.mtu(), is_ipv6(caller.rail())),
              .processor = spent.share(ended)};
    const unsigned halves = operation == Operation::read ? 1 : 2;
    for (const std::uint64_t time : times)
        out.latency->times.add(time / halves);
    out.latency->perftest = core::probe::perftest_latency(operation, times);
    return out;
}

Trial measure_bandwidth(Caller& caller, Operation operation, const Load& load) {
    verbs::Endpoint& endpoint =
        caller.open({.queue_pairs = load.queue_pairs, .depth = load.depth, .room = load.size});
    Message asked = begin("drain", operation, load.size, caller.options().limit + load.duration);
    asked.numbers["depth"] = load.depth;
    expect_ready(caller.ask(asked));
    const Spent spent;
    verbs::Wait wait = caller.wait(load.duration);
    Trial out{.operation = operation,
              .size = load.size,
              .queue_pairs = load.queue_pairs,
              .depth = load.depth,
              .completion = caller.options().completion,
              .bandwidth = verbs::pour(endpoint,
                                       {.operation = operation,
                                        .size = load.size,
                                        .depth = load.depth,
                                        .messages = load.messages,
                                        .duration = load.duration,
                                        .bits_a_second = load.bits_a_second},
                                       wait),
              .wire_bytes = core::probe::wire_bytes(operation, load.size, endpoint.mtu(),
                                                    is_ipv6(caller.rail()))};
    caller.tell({.kind = "sent", .numbers = {{"messages", out.bandwidth->messages}}});
    out.processor = spent.share(caller.await_answer(caller.options().limit));
    return out;
}

}  // namespace cli

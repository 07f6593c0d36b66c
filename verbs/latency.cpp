// SPDX-License-Identifier: Apache-2.0
#include "verbs/latency.hpp"

#include <algorithm>
#include <atomic>

namespace verbs {
namespace {

using core::probe::Operation;

/// Receives that are posted ahead: one is under way, and one is made while it is answered.
constexpr std::uint64_t kAhead = 2;

std::uint64_t now() {
    const auto since = Wait::Clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(since).count());
}

/// The number of a message as its last byte says it: never 0, which is what the memory begins with.
std::uint8_t mark(std::uint64_t number) {
    return static_cast<std::uint8_t>(number % 255 + 1);
}

/// What the device writes into is another's: it is read anew each time.
void await_mark(Endpoint& endpoint, const PingPong& what, std::uint64_t number, Wait& wait) {
    const volatile std::uint8_t* last = &endpoint.incoming()[what.size - 1];
    while (*last != mark(number))
        wait.turn();
    std::atomic_thread_fence(std::memory_order_acquire);
}

void send_one(Endpoint& endpoint, const PingPong& what, std::uint64_t number, Wait& wait) {
    // One message at a time is under way, and what is not asked for need not be awaited either;
    // perftest asks for each hundredth, so that the queue has room again.
    constexpr std::uint64_t kAsked = 100;
    if (what.operation == Operation::write) {
        endpoint.outgoing()[what.size - 1] = mark(number);
        endpoint.post({.code = IBV_WR_RDMA_WRITE, .size = what.size});
        endpoint.sent(wait);
        return;
    }
    const bool asked = number % kAsked == kAsked - 1 || number + 1 == what.iterations;
    endpoint.post({.code = IBV_WR_SEND, .size = what.size, .signaled = asked});
    if (asked) endpoint.sent(wait);
}

void receive_one(Endpoint& endpoint, const PingPong& what, std::uint64_t number, Wait& wait) {
    if (what.operation == Operation::write) {
        await_mark(endpoint, what, number, wait);
        return;
    }
    endpoint.received(wait);
    if (number + kAhead < what.iterations) endpoint.post_receive(what.size);
}

}  // namespace

void prepare_pong(Endpoint& endpoint, const PingPong& what) {
    endpoint.incoming()[what.size - 1] = 0;
    if (what.operation != Operation::send) return;
    for (std::uint64_t i = 0; i < std::min(kAhead, what.iterations); ++i)
        endpoint.post_receive(what.size);
}

std::vector<std::uint64_t> ping(Endpoint& endpoint, const PingPong& what, Wait& wait) {
    std::vector<std::uint64_t> posted(what.iterations);
    for (std::uint64_t i = 0; i < what.iterations; ++i) {
        posted[i] = now();
        wait.count(i, what.iterations);
        if (what.operation == Operation::read) {
            endpoint.post({.code = IBV_WR_RDMA_READ, .size = what.size});
            endpoint.sent(wait);
            continue;
        }
        send_one(endpoint, what, i, wait);
        receive_one(endpoint, what, i, wait);
    }
    for (std::size_t i = 0; i + 1 < posted.size(); ++i)
        posted[i] = posted[i + 1] - posted[i];
    if (!posted.empty()) posted.pop_back();
    return posted;
}

void pong(Endpoint& endpoint, const PingPong& what, Wait& wait) {
    if (what.operation == Operation::read) return;
    for (std::uint64_t i = 0; i < what.iterations; ++i) {
        wait.count(i, what.iterations);
        receive_one(endpoint, what, i, wait);
        send_one(endpoint, what, i, wait);
    }
}

}  // namespace verbs

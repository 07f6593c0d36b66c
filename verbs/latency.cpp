// SPDX-License-Identifier: Apache-2.0
#include "verbs/latency.hpp"

#include <algorithm>
#include <atomic>
#include <string>

#include "core/error.hpp"
#include "core/probe/payload.hpp"

namespace verbs {
namespace {

using core::probe::Measurement;
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
void await_mark(Transport& over, const Measurement& what, std::uint64_t number, Wait& wait) {
    const volatile std::uint8_t* last = &over.incoming()[what.size - 1];
    while (*last != mark(number))
        wait.turn();
    std::atomic_thread_fence(std::memory_order_acquire);
}

void send_one(Transport& over, const Measurement& what, std::uint64_t number, Wait& wait) {
    // One message at a time is under way, and what is not asked for need not be awaited either;
    // perftest asks for each hundredth, so that the queue has room again.
    constexpr std::uint64_t kAsked = 100;
    if (what.operation == Operation::write) {
        over.outgoing()[what.size - 1] = mark(number);
        over.post({.code = IBV_WR_RDMA_WRITE, .size = what.size});
        over.sent(wait);
        return;
    }
    const bool asked = number % kAsked == kAsked - 1 || number + 1 == what.number;
    over.post({.code = IBV_WR_SEND, .size = what.size, .signaled = asked});
    if (asked) over.sent(wait);
}

void receive_one(Transport& over, const Measurement& what, std::uint64_t number, Wait& wait) {
    if (what.operation == Operation::write) {
        await_mark(over, what, number, wait);
        return;
    }
    over.received(wait);
    if (number + kAhead < what.number) over.post_receive(what.size);
}

/// Over TCP all that came last is looked at: nothing else checks it.
void expect_pattern(Transport& over, const Measurement& what) {
    if (what.operation != Operation::tcp) return;
    if (const auto wrong = core::probe::first_wrong(over.incoming().first(what.size), 1))
        throw core::Error(core::Status::failed, "tcp: byte " + std::to_string(*wrong) +
                                                    " that came back is not the one that was sent");
}

}  // namespace

void prepare_pong(Transport& over, const Measurement& what) {
    over.incoming()[what.size - 1] = 0;
    if (what.operation == Operation::tcp)
        core::probe::fill_pattern(over.outgoing().first(what.size), 1);
    if (what.operation != Operation::send && what.operation != Operation::tcp) return;
    for (std::uint64_t i = 0; i < std::min(kAhead, what.number); ++i)
        over.post_receive(what.size);
}

std::vector<std::uint64_t> ping(Transport& over, const Measurement& what, Wait& wait) {
    std::vector<std::uint64_t> posted(what.number);
    for (std::uint64_t i = 0; i < what.number; ++i) {
        posted[i] = now();
        wait.count(i, what.number);
        if (what.operation == Operation::read) {
            over.post({.code = IBV_WR_RDMA_READ, .size = what.size});
            over.sent(wait);
            continue;
        }
        send_one(over, what, i, wait);
        receive_one(over, what, i, wait);
    }
    expect_pattern(over, what);
    for (std::size_t i = 0; i + 1 < posted.size(); ++i)
        posted[i] = posted[i + 1] - posted[i];
    if (!posted.empty()) posted.pop_back();
    return posted;
}

void pong(Transport& over, const Measurement& what, Wait& wait) {
    if (what.operation == Operation::read) return;
    for (std::uint64_t i = 0; i < what.number; ++i) {
        wait.count(i, what.number);
        receive_one(over, what, i, wait);
        send_one(over, what, i, wait);
    }
    expect_pattern(over, what);
}

}  // namespace verbs

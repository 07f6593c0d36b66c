// SPDX-License-Identifier: Apache-2.0
#include "verbs/bandwidth.hpp"

#include <algorithm>

namespace verbs {
namespace {

using core::probe::Direction;
using core::probe::Measurement;
using core::probe::Operation;
using Clock = Wait::Clock;

ibv_wr_opcode code_of(Operation operation) {
    switch (operation) {
        case Operation::send: return IBV_WR_SEND;
        case Operation::write: return IBV_WR_RDMA_WRITE;
        case Operation::read: return IBV_WR_RDMA_READ;
        default: break;
    }
    return IBV_WR_SEND;
}

/// How many messages may have been posted by now, where the rate is bounded.
std::uint64_t allowed(const Measurement& what, Clock::time_point start) {
    const double bits = static_cast<double>(nanoseconds_since(start)) *
                        static_cast<double>(what.bits_a_second) / 1e9;
    return static_cast<std::uint64_t>(bits / (8 * static_cast<double>(what.size))) + 1;
}

/// What one queue pair has under way.
struct UnderWay {
    unsigned posted = 0;   ///< and not done
    unsigned unasked = 0;  ///< of them, since a completion was asked for last
};

class SendStream {
public:
    SendStream(Transport& over, const Measurement& what, const std::function<void()>& between)
        : over_(over),
          what_(what),
          between_(between),
          code_(code_of(what.operation)),
          // perftest asks for each hundredth completion; a queue has to have one at least.
          asked_(std::min(what.depth, 100U)),
          pairs_(over.queue_pairs()),
          start_(Clock::now()) {}

    core::probe::Bandwidth run(Wait& wait) {
        while (!is_over()) {
            const std::uint64_t before = posted_ + done_;
            for (unsigned pair = 0; pair < pairs_.size(); ++pair)
                fill(pair);
            collect();
            wait.count(done_, posted_);
            rest(before, wait);
        }
        // Of what was posted last no completion may have been asked for: one more message brings
        // it.
        for (unsigned pair = 0; pair < pairs_.size(); ++pair)
            if (pairs_[pair].unasked != 0) finish(pair, wait);
        while (done_ < posted_) {
            const std::uint64_t before = posted_ + done_;
            collect();
            wait.count(done_, posted_);
            rest(before, wait);
        }
        return {.messages = done_,
                .bytes = done_ * what_.size,
                .nanoseconds = nanoseconds_since(start_)};
    }

private:
    [[nodiscard]] bool is_over() const { return Clock::now() - start_ >= what_.duration; }
    [[nodiscard]] bool may_post() const {
        return what_.bits_a_second == 0 || posted_ < allowed(what_, start_);
    }
    void post(unsigned pair, bool asked) {
        UnderWay& here = pairs_[pair];
        ++here.unasked;
        over_.post(
            {.code = code_, .size = what_.size, .signaled = asked, .completes = here.unasked},
            pair);
        if (asked) here.unasked = 0;
        ++here.posted;
        ++posted_;
    }
    void fill(unsigned pair) {
        UnderWay& here = pairs_[pair];
        while (here.posted < what_.depth && may_post())
            post(pair, here.unasked + 1 == asked_ || here.posted + 1 == what_.depth);
    }
    /// Where a rate is to be kept, no completion says when the next message may go.
    void rest(std::uint64_t before, Wait& wait) {
        const bool keeps_rate = what_.bits_a_second != 0 && !is_over();
        idle_ = posted_ + done_ == before && done_ < posted_ && !keeps_rate ? idle_ + 1 : 0;
        if (idle_ != 0)
            over_.rest({.sent = true, .received = static_cast<bool>(between_)}, idle_, wait);
        else
            wait.turn();
    }
    void finish(unsigned pair, Wait& wait) {
        for (; pairs_[pair].posted >= what_.depth; wait.turn())
            collect();
        post(pair, true);
    }
    void collect() {
        if (between_) between_();
        ibv_wc completion{};
        while (done_ < posted_ && over_.has_sent(completion)) {
            pairs_[pair_of(completion)].posted -= static_cast<unsigned>(done_by(completion));
            done_ += done_by(completion);
        }
    }

    Transport& over_;
    const Measurement& what_;
    const std::function<void()>& between_;
    ibv_wr_opcode code_;
    unsigned asked_;
    std::vector<UnderWay> pairs_;
    Clock::time_point start_;
    std::uint64_t posted_ = 0;
    std::uint64_t done_ = 0;
    unsigned idle_ = 0;
};

/// Whether messages come into what was posted for them.
bool takes(const Measurement& what, bool client) {
    return what.operation == Operation::send &&
           (what.direction == Direction::both || !sends(what, client));
}

/// The next that has come already, with room made for another; false where none has.
bool take_one(Transport& over, const Measurement& what) {
    ibv_wc completion{};
    if (!over.has_received(completion)) return false;
    over.post_receive(what.size, pair_of(completion));
    return true;
}

}  // namespace

bool sends(const Measurement& what, bool client) {
    return what.direction == Direction::both || (what.direction == Direction::out) == client;
}

void prepare_stream(Transport& over, const Measurement& what, bool client) {
    if (!takes(what, client)) return;
    for (unsigned pair = 0; pair < over.queue_pairs(); ++pair)
        for (unsigned i = 0; i < what.depth; ++i)
            over.post_receive(what.size, pair);
}

core::probe::Bandwidth run_stream(Transport& over, const Measurement& what, const StreamSide& side,
                                  Wait& wait) {
    core::probe::Bandwidth out;
    std::uint64_t received = 0;
    std::function<void()> receive;
    if (takes(what, side.client))
        receive = [&] {
            while (take_one(over, what))
                ++received;
        };
    if (sends(what, side.client)) {
        out = SendStream(over, what, receive).run(wait);
        side.sent(out.messages);
    }
    for (unsigned idle = 0; receive; ++idle) {
        const std::uint64_t before = received;
        receive();
        if (received != before) idle = 0;
        over.rest({.received = true}, idle, wait);
        if (const std::uint64_t wanted = side.expected(); wanted != 0 && received >= wanted) break;
    }
    return out;
}

}  // namespace verbs

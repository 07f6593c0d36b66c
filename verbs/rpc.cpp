// SPDX-License-Identifier: Apache-2.0
#include "verbs/rpc.hpp"

#include <algorithm>

namespace verbs {
namespace {

using core::probe::CallHead;
using core::probe::CallRoom;
using core::probe::kCallBytes;
using core::probe::Measurement;

std::uint64_t nanoseconds_between(Wait::Clock::time_point from, Wait::Clock::time_point to) {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(to - from).count());
}

/// Of a request or a reply, with its data where they go along.
std::uint64_t length_of(const Measurement& what, bool request) {
    return kCallBytes + (room_of(what).together && request == what.writes ? what.size : 0);
}

/// What both sides of calls have: their places, the heads, and the room of the send queue.
class CallSide {
public:
    CallSide(Transport& over, const Measurement& what, bool asks)
        : over_(over),
          what_(what),
          room_(room_of(what)),
          out_length_(length_of(what, asks)),
          in_length_(length_of(what, !asks)) {}

protected:
    void post_receive(std::uint64_t number) {
        if (number < what_.number) over_.post_receive(in_length_, 0, room_.head_at(number));
    }
    [[nodiscard]] bool has_room(unsigned requests) const {
        return posted_ + requests <= requests_of(what_.depth);
    }
    /// Of each `depth`th request the completion is asked for, of a READ, which is waited for, and
    /// of the last.
    void post(Request request, bool last = false) {
        ++unasked_;
        request.signaled = unasked_ >= what_.depth || request.code == IBV_WR_RDMA_READ || last;
        request.completes = unasked_;
        if (request.signaled) unasked_ = 0;
        over_.post(request);
        ++posted_;
    }
    void send_head(const CallHead& head) {
        const std::uint64_t at = room_.head_at(head.number);
        std::ranges::copy(core::probe::bytes_of(head),
                          over_.outgoing().subspan(at, kCallBytes).begin());
        post({.code = IBV_WR_SEND, .size = out_length_, .at = at}, head.number + 1 == what_.number);
    }
    /// Nothing of these calls is left for the next.
    void finish(Wait& wait) {
        ibv_wc completion{};
        for (unsigned idle = 0; posted_ != 0; ++idle)
            if (!collect(completion)) over_.rest({.sent = true}, idle, wait);
    }
    /// Whether something that was sent is complete, and what.
    bool collect(ibv_wc& completion) {
        if (!over_.has_sent(completion)) return false;
        posted_ -= static_cast<unsigned>(done_by(completion));
        return true;
    }
    /// The next head that came has to be this one.
    void take_head(const ibv_wc& completion, const CallHead& expected) {
        const std::uint64_t at = room_.head_at(expected.number);
        core::probe::expect_head(
            over_.incoming().subspan(at, std::min<std::size_t>(completion.byte_len, kCallBytes)),
            expected);
        post_receive(expected.number + what_.depth);
    }
    [[nodiscard]] CallHead head(std::uint64_t number, bool reply) const {
        return {.number = number, .size = what_.size, .writes = what_.writes, .reply = reply};
    }
    std::span<std::uint8_t> data(std::span<std::uint8_t> half, std::uint64_t number) const {
        return half.subspan(room_.data_at(number), what_.size);
    }

    Transport& over_;
    const Measurement& what_;
    CallRoom room_;
    std::uint64_t out_length_;
    std::uint64_t in_length_;

private:
    unsigned posted_ = 0;   ///< and not known to be complete
    unsigned unasked_ = 0;  ///< of them, since a completion was asked for last
};

class Asking : CallSide {
public:
    Asking(Transport& over, const Measurement& what) : CallSide(over, what, true) {}

    Called run(Wait& wait) {
        std::vector<Wait::Clock::time_point> posted(what_.number);
        Called out{.times = std::vector<std::uint64_t>(what_.number)};
        const auto start = Wait::Clock::now();
        std::uint64_t asked = 0;
        unsigned idle = 0;
        for (std::uint64_t done = 0; done < what_.number;) {
            const std::uint64_t before = asked + done;
            for (; asked < what_.number && asked - done < what_.depth && has_room(1); ++asked) {
                if (what_.writes) core::probe::stamp(data(over_.outgoing(), asked), asked);
                posted[asked] = Wait::Clock::now();
                send_head(head(asked, false));
            }
            ibv_wc completion{};
            while (collect(completion)) {
            }
            for (; done < asked && over_.has_received(completion); ++done) {
                out.times[done] = nanoseconds_between(posted[done], Wait::Clock::now());
                take_head(completion, head(done, true));
                if (!what_.writes)
                    core::probe::expect_data(data(over_.incoming(), done), done, what_.checked);
            }
            wait.count(done, what_.number);
            idle = asked + done == before ? idle + 1 : 0;
            if (idle != 0)
                over_.rest({.sent = !has_room(1), .received = true}, idle, wait);
            else
                wait.turn();
        }
        out.nanoseconds = nanoseconds_between(start, Wait::Clock::now());
        finish(wait);
        return out;
    }
};

class Answering : CallSide {
public:
    Answering(Transport& over, const Measurement& what) : CallSide(over, what, false) {}

    void run(Wait& wait) {
        unsigned idle = 0;
        while (answered_ < what_.number) {
            bool moved = false;
            ibv_wc completion{};
            while (collect(completion)) {
                if (completion.opcode == IBV_WC_RDMA_READ) finish_write();
                moved = true;
            }
            for (; taken_ < what_.number && has_room(2) && over_.has_received(completion);
                 ++taken_) {
                take_head(completion, head(taken_, false));
                begin();
                moved = true;
            }
            idle = moved ? 0 : idle + 1;
            // READs are waited for, and room where there is none; replies that went are not.
            if (!moved)
                over_.rest({.sent = taken_ != answered_ || !has_room(2), .received = true}, idle,
                           wait);
            else
                wait.turn();
        }
        finish(wait);
    }

private:
    void begin() {
        const std::uint64_t at = room_.data_at(taken_);
        if (what_.writes && over_.is_one_sided()) {
            post({.code = IBV_WR_RDMA_READ, .size = what_.size, .at = at, .to = at});
            return;
        }
        if (what_.writes) {
            core::probe::expect_data(data(over_.incoming(), taken_), taken_, what_.checked);
        } else {
            core::probe::stamp(data(over_.outgoing(), taken_), taken_);
            if (over_.is_one_sided())
                post({.code = IBV_WR_RDMA_WRITE, .size = what_.size, .at = at, .to = at});
        }
        send_head(head(answered_++, true));
    }
    /// READs end in the order in which they were posted.
    void finish_write() {
        core::probe::expect_data(data(over_.outgoing(), answered_), answered_, what_.checked);
        send_head(head(answered_++, true));
    }

    std::uint64_t taken_ = 0;     ///< requests
    std::uint64_t answered_ = 0;  ///< of them
};

}  // namespace

Called call(Transport& over, const Measurement& what, Wait& wait) {
    return Asking(over, what).run(wait);
}

CallRoom room_of(const Measurement& what) {
    return {.size = what.size,
            .depth = what.depth,
            .together = what.operation == core::probe::Operation::tcp_rpc};
}

void prepare_calls(Transport& over, const Measurement& what, bool asks) {
    const CallRoom room = room_of(what);
    for (unsigned i = 0; i < what.depth; ++i)
        core::probe::fill_data(over.outgoing().subspan(room.data_at(i), what.size));
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(what.depth, what.number); ++i)
        over.post_receive(length_of(what, !asks), 0, room.head_at(i));
}

void answer(Transport& over, const Measurement& what, Wait& wait) {
    Answering(over, what).run(wait);
}

}  // namespace verbs

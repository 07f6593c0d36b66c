// SPDX-License-Identifier: Apache-2.0
#include "verbs/tcp_rpc.hpp"

#include <poll.h>

#include <algorithm>

namespace verbs {
namespace {

using core::probe::CallHead;
using core::probe::Calls;
using core::probe::kCallBytes;
using Time = Wait::Clock::time_point;

std::uint64_t tcp_nanoseconds(Time from, Time to) {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(to - from).count());
}

/// A request or a reply: its head, and data where it carries them.
class Parcel {
public:
    explicit Parcel(std::uint64_t data) : bytes_(kCallBytes + data) {
        core::probe::fill_data(this->data());
    }
    [[nodiscard]] std::span<std::uint8_t> all() { return bytes_; }
    [[nodiscard]] std::span<std::uint8_t> data() { return all().subspan(kCallBytes); }
    void make(const CallHead& head) {
        std::ranges::copy(core::probe::bytes_of(head), bytes_.begin());
        core::probe::stamp(data(), head.number);
    }
    /// Throws Error (failed) unless it is what was agreed on.
    void expect(const CallHead& head, const Calls& what) {
        core::probe::expect_head(all().first(kCallBytes), head);
        if (!data().empty()) core::probe::expect_data(data(), head.number, what);
    }

private:
    std::vector<std::uint8_t> bytes_;
};

CallHead head_of(const Calls& what, std::uint64_t number, bool reply) {
    return {.number = number, .size = what.size, .writes = what.writes, .reply = reply};
}

/// Sends and takes at once, so that neither side waits for the other to read.
class TcpAsking {
public:
    TcpAsking(Streams& streams, const Calls& what)
        : streams_(streams),
          what_(what),
          request_(what.writes ? what.size : 0),
          reply_(what.writes ? 0 : what.size),
          posted_(what.number) {}

    Called run(Wait& wait) {
        Called out{.times = std::vector<std::uint64_t>(what_.number)};
        const Time start = Wait::Clock::now();
        unsigned idle = 0;
        while (done_ < what_.number) {
            const bool sent = push();
            const bool came = take(out.times);
            idle = sent || came ? 0 : idle + 1;
            if (idle != 0)
                streams_.rest(left_ == 0 ? POLLIN : POLLIN | POLLOUT, idle, wait);
            else
                wait.turn();
        }
        out.nanoseconds = tcp_nanoseconds(start, Wait::Clock::now());
        return out;
    }

private:
    /// A request counts from when it may be sent, though those before it may still be on their way
    /// into the connection.
    bool push() {
        for (; asked_ < what_.number && asked_ - done_ < what_.depth; ++asked_)
            posted_[asked_] = Wait::Clock::now();
        if (left_ == 0) {
            if (begun_ == asked_) return false;
            request_.make(head_of(what_, begun_++, false));
            left_ = request_.all().size();
        }
        const std::size_t sent = streams_.send_some(0, request_.all().last(left_));
        left_ -= sent;
        return sent != 0;
    }
    /// Nothing is awaited that was not asked for.
    bool take(std::vector<std::uint64_t>& times) {
        if (done_ == asked_) return false;
        const std::size_t got = streams_.receive_some(0, reply_.all().subspan(taken_));
        if (streams_.is_finished(0)) throw StreamBroken("the peer closed a data connection");
        taken_ += got;
        if (taken_ < reply_.all().size()) return got != 0;
        times[done_] = tcp_nanoseconds(posted_[done_], Wait::Clock::now());
        reply_.expect(head_of(what_, done_++, true), what_);
        taken_ = 0;
        return true;
    }

    Streams& streams_;
    const Calls& what_;
    Parcel request_;
    Parcel reply_;
    std::vector<Time> posted_;
    std::uint64_t asked_ = 0;  ///< may be sent
    std::uint64_t begun_ = 0;  ///< to be sent
    std::uint64_t done_ = 0;
    std::size_t left_ = 0;   ///< of the request that was begun
    std::size_t taken_ = 0;  ///< of the reply that comes
};

}  // namespace

Called call_by_tcp(Streams& streams, const Calls& what, Wait& wait) {
    return TcpAsking(streams, what).run(wait);
}

void answer_by_tcp(Streams& streams, const Calls& what, Wait& wait) {
    Parcel request(what.writes ? what.size : 0);
    Parcel reply(what.writes ? 0 : what.size);
    for (std::uint64_t number = 0; number < what.number; ++number) {
        streams.receive(0, request.all(), wait);
        request.expect(head_of(what, number, false), what);
        reply.make(head_of(what, number, true));
        streams.send(0, reply.all(), wait);
    }
}

}  // namespace verbs

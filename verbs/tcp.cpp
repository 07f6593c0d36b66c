// SPDX-License-Identifier: Apache-2.0
#include "verbs/tcp.hpp"

#include <poll.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/probe/payload.hpp"

namespace verbs {
namespace {

using Clock = Wait::Clock;

/// What one connection still has to send of a message, and whether one more may begin.
class TcpStream {
public:
    TcpStream(Streams& streams, const Stream& what)
        : streams_(streams), what_(what), message_(what.size), left_(streams.size()) {
        core::probe::fill_pattern(message_, 1);
    }

    core::probe::Bandwidth run(Wait& wait) {
        unsigned idle = 0;
        while (!is_over() || is_under_way()) {
            bool moved = false;
            for (std::size_t i = 0; i < left_.size(); ++i)
                moved = push(i) || moved;
            idle = moved ? 0 : idle + 1;
            // Where the rate alone holds it, the time is awaited by turns.
            if (!moved && is_under_way())
                streams_.rest(POLLOUT, idle, wait);
            else
                wait.turn();
        }
        for (std::size_t i = 0; i < left_.size(); ++i)
            streams_.finish(i);
        return {.messages = begun_,
                .bytes = begun_ * what_.size,
                .nanoseconds = nanoseconds_since(start_)};
    }

private:
    [[nodiscard]] bool is_over() const { return Clock::now() - start_ >= what_.duration; }
    [[nodiscard]] bool is_under_way() const {
        return std::ranges::any_of(left_, [](std::uint64_t left) { return left != 0; });
    }
    [[nodiscard]] bool may_begin() const {
        if (is_over()) return false;
        if (what_.bits_a_second == 0) return true;
        const double bits = static_cast<double>(nanoseconds_since(start_)) *
                            static_cast<double>(what_.bits_a_second) / 1e9;
        return static_cast<double>(begun_) * 8 * static_cast<double>(what_.size) <= bits;
    }
    bool push(std::size_t stream) {
        std::uint64_t& left = left_[stream];
        if (left == 0) {
            if (!may_begin()) return false;
            left = what_.size;
            ++begun_;
        }
        const std::size_t sent =
            streams_.send_some(stream, std::span(message_).subspan(what_.size - left));
        left -= sent;
        return sent != 0;
    }

    Streams& streams_;
    const Stream& what_;
    std::vector<std::uint8_t> message_;
    std::vector<std::uint64_t> left_;  ///< of the message that the connection has begun
    std::uint64_t begun_ = 0;
    Clock::time_point start_ = Clock::now();
};

}  // namespace

std::vector<std::uint64_t> ping_by_tcp(Streams& streams, const Echo& what, Wait& wait) {
    std::vector<std::uint8_t> message(what.size);
    core::probe::fill_pattern(message, 1);
    std::vector<std::uint64_t> times(what.iterations);
    const Clock::time_point start = Clock::now();
    for (std::uint64_t& time : times) {
        time = nanoseconds_since(start);
        streams.send(0, message, wait);
        streams.receive(0, message, wait);
    }
    if (const auto wrong = core::probe::first_wrong(message, 1))
        throw core::Error(core::Status::failed, "tcp: byte " + std::to_string(*wrong) +
                                                    " that came back is not the one that was sent");
    for (std::size_t i = 0; i + 1 < times.size(); ++i)
        times[i] = times[i + 1] - times[i];
    if (!times.empty()) times.pop_back();
    return times;
}

void pong_by_tcp(Streams& streams, const Echo& what, Wait& wait) {
    std::vector<std::uint8_t> message(what.size);
    for (std::uint64_t i = 0; i < what.iterations; ++i) {
        streams.receive(0, message, wait);
        streams.send(0, message, wait);
    }
}

core::probe::Bandwidth stream_by_tcp(Streams& streams, const Stream& what, Wait& wait) {
    return TcpStream(streams, what).run(wait);
}

std::uint64_t receive_stream_by_tcp(Streams& streams, Wait& wait) {
    constexpr std::size_t kRoom = std::size_t{256} << 10U;
    std::vector<std::uint8_t> room(kRoom);
    std::uint64_t received = 0;
    std::size_t finished = 0;
    for (unsigned idle = 0; finished < streams.size();) {
        const std::uint64_t before = received;
        finished = 0;
        for (std::size_t i = 0; i < streams.size(); ++i) {
            if (!streams.is_finished(i)) received += streams.receive_some(i, room);
            if (streams.is_finished(i)) ++finished;
        }
        idle = received == before ? idle + 1 : 0;
        if (received == before && finished < streams.size())
            streams.rest(POLLIN, idle, wait);
        else
            wait.turn();
    }
    return received;
}

}  // namespace verbs

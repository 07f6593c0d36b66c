// SPDX-License-Identifier: Apache-2.0
#include "verbs/streams.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace verbs {
namespace {

/// Turns of about half a microsecond: what a wake-up costs, or a little more.
constexpr unsigned kTurnsBeforeSleep = 200;

/// What connections begin with has room in any case.
constexpr std::uint64_t kLeastRoom = 64;

StreamBroken broken(int code) {
    return StreamBroken("a data connection broke: " + std::generic_category().message(code) + " (" +
                        std::to_string(code) + ")");
}

bool is_temporary(int code) {
    return code == EAGAIN || code == EINTR;
}

bool take_first(std::deque<ibv_wc>& done, ibv_wc& completion) {
    if (done.empty()) return false;
    completion = done.front();
    done.pop_front();
    return true;
}

}  // namespace

Streams::Streams(std::vector<netlink::Descriptor> sockets, Completion completion,
                 std::uint64_t room)
    : lanes_(sockets.size()),
      completion_(completion),
      memory_(2 * std::max<std::uint64_t>(room, kLeastRoom)) {
    for (std::size_t i = 0; i < lanes_.size(); ++i)
        lanes_[i].socket = std::move(sockets[i]);
}

void Streams::post(const Request& request, unsigned pair) {
    ibv_wc completion{};
    completion.wr_id = std::uint64_t{request.completes} << 32U | pair;
    lanes_[pair].sends.push_back({.left = outgoing().subspan(request.at, request.size),
                                  .completion = completion,
                                  .signaled = request.signaled});
    if (lanes_[pair].sends.size() == 1) push();
}

void Streams::post_receive(std::uint64_t size, unsigned pair, std::uint64_t at) {
    ibv_wc completion{};
    completion.wr_id = pair;
    completion.byte_len = static_cast<std::uint32_t>(size);
    lanes_[pair].receives.push_back(
        {.left = incoming().subspan(at, size), .completion = completion});
}

/// As much as the kernel takes of each connection's next request.
void Streams::push() {
    for (Lane& lane : lanes_) {
        if (lane.sends.empty()) continue;
        Piece& piece = lane.sends.front();
        const ssize_t sent = ::send(lane.socket.number(), piece.left.data(), piece.left.size(),
                                    MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && !is_temporary(errno)) throw broken(errno);
        if (sent > 0) piece.left = piece.left.subspan(static_cast<std::size_t>(sent));
        if (!piece.left.empty()) continue;
        if (piece.signaled) sent_.push_back(piece.completion);
        lane.sends.pop_front();
    }
}

bool Streams::has_sent(ibv_wc& completion) {
    if (sent_.empty()) push();
    return take_first(sent_, completion);
}

std::size_t Streams::receive_some(Lane& lane, std::span<std::uint8_t> room) {
    const ssize_t got = ::recv(lane.socket.number(), room.data(), room.size(), MSG_DONTWAIT);
    if (got < 0 && !is_temporary(errno)) throw broken(errno);
    if (got == 0) lane.finished = true;
    return got < 0 ? 0 : static_cast<std::size_t>(got);
}

bool Streams::has_received(ibv_wc& completion) {
    push();  // else neither side would go on
    for (Lane& lane : lanes_) {
        if (!received_.empty()) break;
        if (lane.receives.empty()) continue;
        Piece& piece = lane.receives.front();
        piece.left = piece.left.subspan(receive_some(lane, piece.left));
        if (lane.finished) throw StreamBroken("the peer closed a data connection");
        if (!piece.left.empty()) continue;
        received_.push_back(piece.completion);
        lane.receives.pop_front();
    }
    return take_first(received_, completion);
}

void Streams::finish() {
    for (const Lane& lane : lanes_)
        ::shutdown(lane.socket.number(), SHUT_WR);
}

std::uint64_t Streams::receive_all(Wait& wait) {
    constexpr std::size_t kRoom = std::size_t{256} << 10U;
    std::vector<std::uint8_t> room(kRoom);
    std::uint64_t received = 0;
    for (unsigned idle = 0;;) {
        const std::uint64_t before = received;
        for (Lane& lane : lanes_)
            if (!lane.finished) received += receive_some(lane, room);
        if (std::ranges::all_of(lanes_, &Lane::finished)) return received;
        idle = received == before ? idle + 1 : 0;
        if (idle != 0)
            rest({.received = true}, idle, wait);
        else
            wait.turn();
    }
}

void Streams::rest(Wakes by, unsigned turns, Wait& wait) {
    wait.turn();
    const bool sleeps = completion_ == Completion::event ||
                        (completion_ == Completion::adaptive && turns > kTurnsBeforeSleep);
    if (!sleeps) return;
    std::vector<pollfd> wanted;
    for (const Lane& lane : lanes_) {
        const auto events = static_cast<short>((by.received && !lane.finished ? POLLIN : 0) |
                                               (lane.sends.empty() ? 0 : POLLOUT));
        wanted.push_back(
            {.fd = events == 0 ? -1 : lane.socket.number(), .events = events, .revents = 0});
    }
    constexpr int kMilliseconds = 5;
    ::poll(wanted.data(), wanted.size(), kMilliseconds);
    wait.check();
}

}  // namespace verbs

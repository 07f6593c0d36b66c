// SPDX-License-Identifier: Apache-2.0
#include "verbs/streams.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <system_error>

namespace verbs {
namespace {

/// Turns of about half a microsecond: what a wake-up costs, or a little more.
constexpr unsigned kTurnsBeforeSleep = 200;

StreamBroken broken(int code) {
    return StreamBroken("a data connection broke: " + std::generic_category().message(code) + " (" +
                        std::to_string(code) + ")");
}

bool is_temporary(int code) {
    return code == EAGAIN || code == EINTR;
}

}  // namespace

Streams::Streams(std::vector<netlink::Descriptor> sockets, Completion completion)
    : sockets_(std::move(sockets)), finished_(sockets_.size()), completion_(completion) {}

std::size_t Streams::send_some(std::size_t stream, std::span<const std::uint8_t> bytes) {
    const ssize_t sent =
        ::send(sockets_[stream].number(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && !is_temporary(errno)) throw broken(errno);
    return sent < 0 ? 0 : static_cast<std::size_t>(sent);
}

std::size_t Streams::receive_some(std::size_t stream, std::span<std::uint8_t> room) {
    const ssize_t got = ::recv(sockets_[stream].number(), room.data(), room.size(), MSG_DONTWAIT);
    if (got < 0 && !is_temporary(errno)) throw broken(errno);
    if (got == 0) finished_[stream] = true;
    return got < 0 ? 0 : static_cast<std::size_t>(got);
}

void Streams::send(std::size_t stream, std::span<const std::uint8_t> bytes, Wait& wait) {
    for (unsigned turns = 0; !bytes.empty();) {
        const std::size_t sent = send_some(stream, bytes);
        bytes = bytes.subspan(sent);
        turns = sent == 0 ? turns + 1 : 0;
        if (sent == 0) rest(POLLOUT, turns, wait);
    }
}

void Streams::receive(std::size_t stream, std::span<std::uint8_t> room, Wait& wait) {
    for (unsigned turns = 0; !room.empty();) {
        const std::size_t got = receive_some(stream, room);
        if (finished_[stream]) throw StreamBroken("the peer closed a data connection");
        room = room.subspan(got);
        turns = got == 0 ? turns + 1 : 0;
        if (got == 0) rest(POLLIN, turns, wait);
    }
}

void Streams::finish(std::size_t stream) {
    ::shutdown(sockets_[stream].number(), SHUT_WR);
}

void Streams::rest(short events, unsigned turns, Wait& wait) {
    wait.turn();
    const bool sleeps = completion_ == Completion::event ||
                        (completion_ == Completion::adaptive && turns > kTurnsBeforeSleep);
    if (!sleeps) return;
    std::vector<pollfd> wanted;
    for (std::size_t i = 0; i < sockets_.size(); ++i)
        wanted.push_back(
            {.fd = finished_[i] ? -1 : sockets_[i].number(), .events = events, .revents = 0});
    constexpr int kMilliseconds = 5;
    ::poll(wanted.data(), wanted.size(), kMilliseconds);
    wait.check();
}

}  // namespace verbs

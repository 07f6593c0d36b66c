// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/probe/message.hpp"
#include "netlink/transport/descriptor.hpp"

namespace cli {

using Key = std::array<std::uint8_t, 32>;

/// The other side is there no more: it closed the connection, or its host says that nobody has it.
class PeerGone : public std::runtime_error {
    using std::runtime_error::runtime_error;
};
/// The other side says nothing.
class PeerSilent : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Messages over one TCP connection: each with its length, and with a code of authentication
/// (HMAC-SHA-256, RFC 2104) over its place in the order and its bytes, so that nobody without the
/// key can put a message in, leave one out or change one. No message is longer than 64 KiB, and
/// none is awaited without end.
class ControlConnection {
public:
    enum class Side : std::uint8_t { client, server };

    ControlConnection(netlink::Descriptor socket, Side side);

    /// Throws PeerGone, PeerSilent.
    void send(const core::probe::Message& message);
    /// Throws PeerGone, PeerSilent, and Error (failed) where what comes is no such message.
    core::probe::Message receive(std::chrono::milliseconds limit);
    /// The next message, where all of it has come already, else nothing; it is not awaited. Throws
    /// PeerGone, and Error (failed) where what comes is no such message.
    std::optional<core::probe::Message> receive_now();

    /// Whether something comes, or the end, before the time is over.
    [[nodiscard]] bool await_some(std::chrono::milliseconds limit) const;

    /// From here on all messages carry codes of this key.
    void use(const Key& key) { key_ = key; }
    /// What a data connection begins with, so that it is known to be of the side of this channel:
    /// made of its key, the number of its opening and its place among those opened together.
    [[nodiscard]] Key token(Side from, std::uint64_t opening, std::uint64_t place) const;
    [[nodiscard]] Side side() const { return side_; }
    [[nodiscard]] int number() const { return socket_.number(); }
    /// Whether the peer's host has acknowledged all that was sent to it: a process that is stopped
    /// has a host that answers, and a host that is not there has not.
    [[nodiscard]] bool is_acknowledged() const;

private:
    bool fill(std::chrono::milliseconds limit);
    std::optional<core::probe::Message> take();
    [[nodiscard]] Key code_of(Side from, std::uint64_t number, std::string_view bytes) const;

    netlink::Descriptor socket_;
    Side side_;
    Key key_{};
    std::uint64_t sent_ = 0;
    std::uint64_t received_ = 0;
    std::string arrived_{};
};

/// HMAC-SHA-256 of the parts one after the other.
Key hmac(std::string_view key, std::initializer_list<std::string_view> parts);

}  // namespace cli

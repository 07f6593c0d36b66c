// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "netlink/transport/descriptor.hpp"
#include "verbs/endpoint.hpp"

namespace cli {

/// A data connection ended: its other side closed it, or something on the way did.
class StreamBroken : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// TCP connections for data alone, side by side. Nothing here waits but in `rest` and what says so,
/// and that no longer than a Wait lets it.
class Streams {
public:
    Streams(std::vector<netlink::Descriptor> sockets, verbs::Completion completion);

    [[nodiscard]] std::size_t size() const { return sockets_.size(); }
    /// How many bytes went, or came; 0 where none can now. Throws StreamBroken.
    std::size_t send_some(std::size_t stream, std::span<const std::uint8_t> bytes);
    std::size_t receive_some(std::size_t stream, std::span<std::uint8_t> room);
    /// Sends all of the bytes, or fills all of the room, and waits where it has to. Throws
    /// StreamBroken, and what `wait` throws.
    void send(std::size_t stream, std::span<const std::uint8_t> bytes, verbs::Wait& wait);
    void receive(std::size_t stream, std::span<std::uint8_t> room, verbs::Wait& wait);
    /// Nothing more will be sent.
    void finish(std::size_t stream);
    /// Whether the other side finished, so that `receive_some` has nothing more.
    [[nodiscard]] bool is_finished(std::size_t stream) const { return finished_[stream]; }

    /// After a turn in which nothing moved, the `turns`th of them one after the other: gives the
    /// processor away, if the way of completion says so, until something can be received, or sent
    /// where `events` has POLLOUT. Throws what `wait` throws.
    void rest(short events, unsigned turns, verbs::Wait& wait);

private:
    std::vector<netlink::Descriptor> sockets_;
    std::vector<bool> finished_;
    verbs::Completion completion_;
};

}  // namespace cli

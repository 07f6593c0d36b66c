// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "netlink/transport/descriptor.hpp"
#include "verbs/endpoint.hpp"

namespace verbs {

/// A data connection ended: closed by the other side, or broken.
class StreamBroken : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Parallel TCP connections for data. Only `rest`, and functions that say so, wait, and no longer
/// than a Wait allows.
class Streams {
public:
    Streams(std::vector<netlink::Descriptor> sockets, Completion completion);

    [[nodiscard]] std::size_t size() const { return sockets_.size(); }
    /// Bytes sent or received; 0 where none can be now. Throws StreamBroken.
    std::size_t send_some(std::size_t stream, std::span<const std::uint8_t> bytes);
    std::size_t receive_some(std::size_t stream, std::span<std::uint8_t> room);
    /// Sends all of the bytes, or fills all of the room, waiting where necessary. Throws
    /// StreamBroken, and what `wait` throws.
    void send(std::size_t stream, std::span<const std::uint8_t> bytes, Wait& wait);
    void receive(std::size_t stream, std::span<std::uint8_t> room, Wait& wait);
    /// Ends the sending direction.
    void finish(std::size_t stream);
    /// Whether the other side has ended sending, so that `receive_some` returns no more.
    [[nodiscard]] bool is_finished(std::size_t stream) const { return finished_[stream]; }

    /// Waits after the `turns`th turn in a row in which nothing moved: where the way of completion
    /// sleeps, yields the CPU until data can be received, or sent if `events` has POLLOUT. Throws
    /// what `wait` throws.
    void rest(short events, unsigned turns, Wait& wait);

private:
    std::vector<netlink::Descriptor> sockets_;
    std::vector<bool> finished_;
    Completion completion_;
};

}  // namespace verbs

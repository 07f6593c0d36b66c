// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <stdexcept>
#include <vector>

#include "netlink/transport/descriptor.hpp"
#include "verbs/transport.hpp"

namespace verbs {

/// A data connection ended: closed by the other side, or broken.
class StreamBroken : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Parallel TCP connections for data. A request is complete when the kernel has taken all of its
/// bytes, a receive when all of its size has come. Of a completion only the connection, the number
/// of requests and the length are set.
class Streams final : public Transport {
public:
    /// With room for so many bytes in each half of its memory. Receives throw StreamBroken where
    /// the other side has ended the connection.
    Streams(std::vector<netlink::Descriptor> sockets, Completion completion, std::uint64_t room);

    [[nodiscard]] std::span<std::uint8_t> outgoing() override {
        return std::span(memory_).first(memory_.size() / 2);
    }
    [[nodiscard]] std::span<std::uint8_t> incoming() override {
        return std::span(memory_).last(memory_.size() / 2);
    }
    [[nodiscard]] unsigned queue_pairs() const override {
        return static_cast<unsigned>(lanes_.size());
    }
    [[nodiscard]] bool is_one_sided() const override { return false; }
    void post(const Request& request, unsigned pair = 0) override;
    void post_receive(std::uint64_t size, unsigned pair = 0, std::uint64_t at = 0) override;
    bool has_sent(ibv_wc& completion) override;
    bool has_received(ibv_wc& completion) override;
    void rest(Wakes by, unsigned turns, Wait& wait) override;

    /// Ends the sending direction of all connections.
    void finish();
    /// Receives until the other side has ended all connections; returns the number of bytes. Throws
    /// StreamBroken, and what `wait` throws.
    std::uint64_t receive_all(Wait& wait);

private:
    /// What of a request or a receive is still to go or to come.
    struct Piece {
        std::span<std::uint8_t> left{};
        ibv_wc completion{};
        bool signaled = true;
    };
    struct Lane {
        netlink::Descriptor socket{};
        std::deque<Piece> sends{};
        std::deque<Piece> receives{};
        bool finished = false;  ///< the other side sends no more
    };
    void push();
    static std::size_t receive_some(Lane& lane, std::span<std::uint8_t> room);

    std::vector<Lane> lanes_;
    Completion completion_;
    std::vector<std::uint8_t> memory_;
    std::deque<ibv_wc> sent_{};
    std::deque<ibv_wc> received_{};
};

}  // namespace verbs

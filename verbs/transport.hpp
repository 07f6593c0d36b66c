// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <infiniband/verbs.h>

#include <cstdint>
#include <span>

#include "verbs/wait.hpp"

namespace verbs {

/// How a side learns that something is complete: by asking all the time, by an event of the kernel,
/// or by asking for a while and then by an event.
enum class Completion : std::uint8_t { poll, event, adaptive };

/// Of a completion: the queue pair, and how many requests are done with it.
inline unsigned pair_of(const ibv_wc& completion) {
    return static_cast<std::uint32_t>(completion.wr_id);
}
inline std::uint64_t done_by(const ibv_wc& completion) {
    return completion.wr_id >> 32U;
}

/// One request of one queue pair.
struct Request {
    ibv_wr_opcode code = IBV_WR_SEND;
    std::uint64_t size = 0;
    bool signaled = true;
    std::uint32_t completes = 1;  ///< requests that are done with this one's completion
    std::uint32_t immediate = 0;  ///< of those with immediate data; in the host's order
    std::uint64_t compare = 0;    ///< of atomics: compared with, or added
    std::uint64_t swap = 0;
    std::uint64_t at = 0;  ///< where it lies in the half of this side
    std::uint64_t to = 0;  ///< and in that of the peer
};

/// What a transport that sleeps is woken by.
struct Wakes {
    bool sent = false;
    bool received = false;
};

/// What requests are posted to, and completed by: queue pairs of a device (Endpoint), or TCP
/// connections (Streams). What is sent lies in the first half of its memory, what the peer sends
/// comes into the second.
class Transport {
public:
    virtual ~Transport() = default;

    [[nodiscard]] virtual std::span<std::uint8_t> outgoing() = 0;
    [[nodiscard]] virtual std::span<std::uint8_t> incoming() = 0;
    [[nodiscard]] virtual unsigned queue_pairs() const = 0;
    /// Whether one side can read and write the other's memory, which takes no part in it.
    [[nodiscard]] virtual bool is_one_sided() const = 0;

    /// Throws core::Error (failed) where the device refuses, StreamBroken where the connection is
    /// broken.
    virtual void post(const Request& request, unsigned pair = 0) = 0;
    virtual void post_receive(std::uint64_t size, unsigned pair = 0, std::uint64_t at = 0) = 0;
    /// Whether a completion of what was sent, or received, is there already, which is then put into
    /// `completion`; nothing is awaited. Throws Incomplete, and the same.
    virtual bool has_sent(ibv_wc& completion) = 0;
    virtual bool has_received(ibv_wc& completion) = 0;
    /// After a turn in which nothing was complete, the `turns`th of them one after the other: gives
    /// the processor away, if the way of completion says so, until something of that kind may be.
    /// Throws what `wait` throws.
    virtual void rest(Wakes by, unsigned turns, Wait& wait) = 0;

    /// The next completion of what was sent, or received.
    ibv_wc sent(Wait& wait) {
        ibv_wc out{};
        for (unsigned turns = 0; !has_sent(out); ++turns)
            rest({.sent = true}, turns, wait);
        return out;
    }
    ibv_wc received(Wait& wait) {
        ibv_wc out{};
        for (unsigned turns = 0; !has_received(out); ++turns)
            rest({.received = true}, turns, wait);
        return out;
    }

protected:
    Transport() = default;
    Transport(const Transport&) = default;
    Transport(Transport&&) = default;
    Transport& operator=(const Transport&) = default;
    Transport& operator=(Transport&&) = default;
};

}  // namespace verbs

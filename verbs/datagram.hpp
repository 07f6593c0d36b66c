// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "core/model/ip.hpp"
#include "netlink/transport/descriptor.hpp"

namespace verbs {

/// A UDP socket that sends from an address through its port alone. Each datagram goes in one IP
/// packet or not at all (ip(7) IP_PMTUDISC_PROBE), and begins with a token known to both sides:
/// other datagrams are not counted.
class Datagrams {
public:
    /// Throws core::Error (failed) where the kernel refuses.
    Datagrams(const core::Ip& own, const std::string& port, std::uint64_t token,
              std::uint8_t traffic_class);

    [[nodiscard]] std::uint16_t port() const;
    /// Sets the peer; without it, the sender of the first datagram with the token becomes the peer.
    void set_peer(const core::Ip& peer, std::uint16_t port);
    [[nodiscard]] bool has_peer() const { return has_peer_; }

    /// Sends one IP packet of `packet` bytes, headers included. False where it exceeds the port's
    /// own MTU; true also where it is lost (ECONNREFUSED, EHOSTUNREACH, EAGAIN, EPERM). Throws
    /// core::Error (failed) for any other errno.
    [[nodiscard]] bool send(std::uint32_t packet);
    /// Whether a packet of `packet` bytes has arrived, or arrives within `limit`.
    bool has_come(std::uint32_t packet, std::chrono::milliseconds limit);

private:
    [[nodiscard]] std::uint32_t headers() const;
    void take();

    netlink::Descriptor socket_;
    bool v6_;
    std::uint64_t token_;
    bool has_peer_ = false;
    std::uint32_t came_ = 0;  ///< size of the last packet that arrived
};

}  // namespace verbs

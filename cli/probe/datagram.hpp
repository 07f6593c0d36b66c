// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "core/model/ip.hpp"
#include "netlink/transport/descriptor.hpp"

namespace cli {

/// A UDP socket at an address, out of its port alone, of which each datagram goes in one IP packet
/// or not at all (ip(7) IP_PMTUDISC_PROBE). Each begins with a token that both sides know: bytes of
/// strangers are not counted.
class Datagrams {
public:
    /// Throws core::Error (failed) where the kernel refuses.
    Datagrams(const core::Ip& own, const std::string& port, std::uint64_t token,
              std::uint8_t traffic_class);

    [[nodiscard]] std::uint16_t port() const;
    /// The other side: as it is said, else whoever sent the token.
    void roce(const core::Ip& peer, std::uint16_t port);
    [[nodiscard]] bool is_intended() const { return intended_; }

    /// Sends one IP packet of so many bytes, headers counted; false where it is too long for the
    /// port itself. Throws core::Error (failed) for anything else that the kernel says.
    [[nodiscard]] bool send(std::uint32_t packet);
    /// Whether one of so many bytes has come, or comes before the time is over.
    bool has_come(std::uint32_t packet, std::chrono::milliseconds limit);

private:
    [[nodiscard]] std::uint32_t headers() const;
    void take();

    netlink::Descriptor socket_;
    bool v6_;
    std::uint64_t token_;
    bool intended_ = false;
    std::uint32_t came_ = 0;  ///< the packet that came last
};

}  // namespace cli

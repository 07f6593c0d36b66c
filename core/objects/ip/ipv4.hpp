// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace core {

/// A number of which the kernel uses the larger of the port's and the host's own
/// (IN_DEV_MAXCONF and IN_DEV_ORCONF, include/linux/inetdevice.h): net.ipv4.conf.PORT and .all. The
/// kernel takes any number of 32 bits there, below 0 too.
struct Joint {
    std::int32_t own = 0;
    std::int32_t all = 0;
    [[nodiscard]] std::int32_t in_force() const { return own > all ? own : all; }
    bool operator==(const Joint&) const = default;
};

struct Ipv4 {
    Joint arp_ignore;
    Joint arp_announce;
    Joint rp_filter;
    Joint accept_local;
    bool operator==(const Ipv4&) const = default;
};

}  // namespace core

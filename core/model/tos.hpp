// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace core {

/// The IPv4 ToS byte (verbs: traffic class) for a DSCP: the code point, and with `ecn` ECT(0), by
/// which packets can be marked instead of dropped (RFC 3168, 5).
constexpr unsigned tos_of(unsigned dscp, bool ecn = true) {
    return dscp << 2U | (ecn ? 2U : 0U);
}

/// The kernel's packet priority for a ToS, which a VLAN's egress_priority maps to a tag
/// (net/ipv4/route.c ip_tos2prio, include/net/route.h rt_tos2priority). rdma_cm takes the tag of
/// its connections from the same (drivers/infiniband/core/cma.c iboe_tos_to_sl).
constexpr std::uint32_t packet_priority(unsigned tos) {
    constexpr std::array<std::uint8_t, 16> priorities = {0, 0, 0, 0, 2, 2, 2, 2,
                                                         6, 6, 6, 6, 4, 4, 4, 4};
    constexpr unsigned mask = 0x1e;
    return priorities.at((tos & mask) >> 1U);
}

}  // namespace core

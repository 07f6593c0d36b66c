// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace core {

/// ETHTOOL_PFC_PREVENTION_TOUT: for how long the port may be paused before it stops obeying.
struct StormPrevention {
    static constexpr std::uint16_t off = 0;
    static constexpr std::uint16_t automatic = 0xffff;  // PFC_STORM_PREVENTION_AUTO
    std::uint16_t timeout = off;                        ///< ms
    bool operator==(const StormPrevention&) const = default;
};

}  // namespace core

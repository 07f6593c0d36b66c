// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace core {

/// Descriptors in each receive and transmit ring; nothing where the driver has no such ring.
struct Ring {
    std::optional<std::uint32_t> rx{};
    std::optional<std::uint32_t> tx{};
    std::uint32_t rx_max = 0;
    std::uint32_t tx_max = 0;
    bool operator==(const Ring&) const = default;
};

}  // namespace core

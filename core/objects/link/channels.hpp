// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace core {

/// How many queues the port has; nothing where the driver has none of the kind.
struct Channels {
    std::optional<std::uint32_t> combined{};  ///< receive and transmit on one interrupt
    std::optional<std::uint32_t> rx{};        ///< that only receive
    std::optional<std::uint32_t> tx{};
    std::uint32_t combined_max = 0;
    std::uint32_t rx_max = 0;
    std::uint32_t tx_max = 0;
    bool operator==(const Channels&) const = default;
};

}  // namespace core

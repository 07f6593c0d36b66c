// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace core {

/// When the port interrupts for what it received, or for what it sent; nothing where the driver
/// has no such choice.
struct Coalescing {
    std::optional<bool> adaptive{};  ///< the driver chooses the numbers
    std::optional<bool> cqe{};       ///< the time starts again with every packet
    std::optional<std::uint32_t> usecs{};
    std::optional<std::uint32_t> frames{};
    std::optional<std::uint32_t> idle_usecs{};  ///< told while the driver chooses: not in force
    std::optional<std::uint32_t> idle_frames{};
    bool operator==(const Coalescing&) const = default;
};

struct Coalesce {
    Coalescing rx{};
    Coalescing tx{};
    bool operator==(const Coalesce&) const = default;
};

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace core {

/// What the vendor's driver forces on every connection of the RDMA device.
struct TrafficClass {
    std::optional<std::uint32_t> tos{};  ///< nothing: it leaves the class as it is asked for
    bool operator==(const TrafficClass&) const = default;
};

}  // namespace core

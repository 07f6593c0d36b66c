// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "core/model/origin.hpp"
#include "core/model/value.hpp"

namespace core {

/// What the switches are configured to do, as `switch` of a profile states it. What it does not
/// state is not known, and agrees with everything.
struct Fabric {
    struct Priority {
        std::uint64_t value = 0;
        Origin origin;
    };
    struct Lossless {
        Numbers priorities;
        Origin origin;
    };
    std::map<std::uint64_t, Priority> dscp_map;  ///< by code point
    std::optional<Lossless> lossless;

    [[nodiscard]] const Priority* priority_of(std::uint64_t dscp) const;
    [[nodiscard]] bool loses(std::uint64_t priority) const;  ///< known not to be lossless
    [[nodiscard]] bool keeps(std::uint64_t priority) const;  ///< known to be lossless
};

}  // namespace core

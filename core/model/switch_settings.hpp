// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "core/model/origin.hpp"
#include "core/model/value.hpp"

namespace core {

/// The configuration of the switches, as `switch` of a profile states it. What it does not state is
/// not known and contradicts nothing.
struct SwitchSettings {
    struct Priority {
        std::uint64_t value = 0;
        Origin origin;
    };
    struct Lossless {
        Numbers priorities;
        Origin origin;
    };
    std::map<std::uint64_t, Priority> dscp_map;  ///< priority by code point
    std::optional<Lossless> lossless;

    [[nodiscard]] const Priority* priority_of(std::uint64_t dscp) const;
    /// Whether it is known not to be lossless.
    [[nodiscard]] bool loses(std::uint64_t priority) const;
    [[nodiscard]] bool keeps(std::uint64_t priority) const;  ///< whether it is known to be lossless
};

}  // namespace core

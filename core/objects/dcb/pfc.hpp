// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/model/priority.hpp"

namespace core {

/// IEEE 802.1Qbb PFC as struct ieee_pfc holds it.
struct Pfc {
    std::uint8_t priorities = 0;  ///< bit n is priority n
    std::uint16_t delay = 0;
    std::uint8_t capability = 0;               ///< how many traffic classes can be lossless
    PerPriority<std::uint64_t> requests{};     ///< PFC frames sent
    PerPriority<std::uint64_t> indications{};  ///< PFC frames received
    bool operator==(const Pfc&) const = default;
};

}  // namespace core

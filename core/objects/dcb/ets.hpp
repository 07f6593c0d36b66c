// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/model/priority.hpp"

namespace core {

struct Driver;
struct Port;

/// IEEE 802.1Qaz ETS as struct ieee_ets holds it.
struct Ets {
    static constexpr std::uint8_t strict = 0;
    static constexpr std::uint8_t cb_shaper = 1;
    static constexpr std::uint8_t shared = 2;  // IEEE_8021QAZ_TSA_ETS
    static constexpr std::uint8_t vendor = 255;
    PerPriority<std::uint8_t> traffic_class{};  ///< of each priority
    PerPriority<std::uint8_t> algorithm{};      ///< TSA of each traffic class
    PerPriority<std::uint8_t> bandwidth{};      ///< percent, of each traffic class
    std::uint8_t capability = 0;                ///< how many traffic classes, 0 means 8
    bool willing = false;
    bool operator==(const Ets&) const = default;
};

}  // namespace core

namespace core::ets {

/// How many traffic classes the port has, by its own account.
std::uint8_t classes_of(const Port& port);
/// Whether the port answers zeros since its driver was reported nothing yet; it may also have been
/// reported zeros, which nobody can see.
bool is_not_reported(const Driver& driver, const Port& port);

}  // namespace core::ets

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/driver.hpp"

namespace core {

/// What a driver's row says of one subject.
struct DriverTopic {
    std::string name{};
    std::string text{};    ///< sentences
    std::string by{};      ///< the interface that sets it; empty: none
    std::string source{};  ///< where it was read (Driver)
};

/// All that the row says, in the order in which a packet meets it. A subject of which it says
/// nothing is not among them.
std::vector<DriverTopic> topics_of(const Driver& driver);

/// What it takes to compare families, a word each: below these heads.
inline constexpr std::array<std::string_view, 9> kCompared = {
    "driver", "RoCE", "ETS", "PFC", "DSCP", "buffer", "rate", "ECN", "MTU"};
std::vector<std::string> compared(const Driver& driver);

}  // namespace core

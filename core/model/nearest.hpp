// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace core {

/// Rounds a finite number below 2^62 to the nearest integer, halves away from zero as std::llround
/// does. std::llround itself would load the math library at each start for this alone.
constexpr std::int64_t nearest(double number) {
    constexpr double half = 0.5;
    const auto whole = static_cast<std::int64_t>(number);
    const double rest = number - static_cast<double>(whole);
    if (rest >= half) return whole + 1;
    return rest <= -half ? whole - 1 : whole;
}

}  // namespace core

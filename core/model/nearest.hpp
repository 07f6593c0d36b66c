// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace core {

/// The whole number nearest to a finite one below 2^62, a half away from zero as std::llround has
/// it. The library of mathematics, which has that, would be loaded at each start for this alone.
constexpr std::int64_t nearest(double number) {
    constexpr double half = 0.5;
    const auto whole = static_cast<std::int64_t>(number);
    const double rest = number - static_cast<double>(whole);
    if (rest >= half) return whole + 1;
    return rest <= -half ? whole - 1 : whole;
}

}  // namespace core

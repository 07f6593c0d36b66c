// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace core {

/// The mask with only this bit; 0 for numbers that do not fit in 32 bits, which a kernel may
/// report.
constexpr unsigned bit_of(std::uint64_t number) {
    return number < 32 ? 1U << number : 0U;
}

}  // namespace core

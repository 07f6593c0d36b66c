// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace core {

/// The bit of a number in a mask; none where a kernel has a number that no mask holds.
constexpr unsigned bit_of(std::uint64_t number) {
    return number < 32 ? 1U << number : 0U;
}

}  // namespace core

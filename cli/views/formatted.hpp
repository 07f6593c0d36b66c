// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <string>

namespace cli {

/// As by printf(3); at most 255 bytes.
template <typename... Values>
std::string formatted(const char* form, Values... values) {
    std::array<char, 256> room{};
    const int size = std::snprintf(room.data(), room.size(), form, values...);
    return {room.data(), std::min(static_cast<std::size_t>(size), room.size() - 1)};
}

/// Nanoseconds, in microseconds with two places.
inline std::string microseconds(double nanoseconds) {
    return formatted("%.2f", nanoseconds / 1000);
}
inline std::string microseconds(std::uint64_t nanoseconds) {
    return microseconds(static_cast<double>(nanoseconds));
}

}  // namespace cli

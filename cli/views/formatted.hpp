// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
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

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

namespace core {

inline constexpr std::size_t kPriorities = 8;
template <typename T>
using PerPriority = std::array<T, kPriorities>;

}  // namespace core

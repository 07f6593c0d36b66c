// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace core {

/// What a driver counts, by its own names: what each means is in core/drivers/counters.cpp.
using Counters = std::map<std::string, std::uint64_t, std::less<>>;

}  // namespace core

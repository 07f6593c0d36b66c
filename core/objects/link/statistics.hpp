// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace core {

/// What the port's driver counts, by its own names, those of single queues left out: what each
/// means is in core/drivers/counters.cpp.
using Statistics = std::map<std::string, std::uint64_t, std::less<>>;

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/model/priority.hpp"

namespace core {

/// The most each traffic class sends, as struct ieee_maxrate holds it.
struct MaxRate {
    PerPriority<std::uint64_t> kbit{};  ///< kbit/s of each traffic class, 0 for no limit
    bool operator==(const MaxRate&) const = default;
};

}  // namespace core

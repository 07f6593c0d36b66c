// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "core/model/driver.hpp"
#include "core/model/object.hpp"

namespace core {

using Reason = std::optional<std::string>;
using Refused = std::optional<Refusal>;

/// ObjectRow::Order::by_driver of an object that only drivers know to write.
inline constexpr std::array<std::string_view, 1> kAllByDriver = {"*"};

/// `play` for an object of which a write changes its own part and nothing else.
template <auto Part>
Played take(const Driver& /*driver*/, State& /*state*/, Port& now, const Port& then) {
    now.*Part = then.*Part;
    return std::nullopt;
}

/// The row of each object, in its own namespace.
#define CORE_ROW(name, ...)     \
    namespace name {            \
    extern const ObjectRow row; \
    }
CORE_OBJECTS(CORE_ROW, CORE_ROW, CORE_ROW)
#undef CORE_ROW

}  // namespace core

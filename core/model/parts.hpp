// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bitset>

#include "core/model/field.hpp"
#include "core/model/state.hpp"

namespace core {

/// A set of objects.
using Parts = std::bitset<kObjectCount>;

/// The objects whose parts differ between two states of a port. All of them where a part came or
/// went, or where the driver or what is refused, unknown or absent differs.
Parts changed_parts(const Port& before, const Port& after);

/// Whether the set has the field's object.
[[nodiscard]] inline bool is_in(const Parts& parts, const Field& field) {
    return parts[static_cast<std::size_t>(field.object)];
}

}  // namespace core

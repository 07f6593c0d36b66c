// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bitset>

#include "core/model/field.hpp"
#include "core/model/state.hpp"

namespace core {

/// Some of the objects.
using Parts = std::bitset<kObjectCount>;

/// The objects whose parts of a port a write changed, or what of them is refused, unknown or
/// absent; all of them where a part came or went, or the driver.
Parts changed_parts(const Port& before, const Port& after);

/// Whether the part that tells the field's value is among them.
[[nodiscard]] inline bool is_in(const Parts& parts, const Field& field) {
    return parts[static_cast<std::size_t>(field.object)];
}

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "core/json/tree.hpp"
#include "core/plan/wish.hpp"

namespace core {

/// What stands at the place of a file, as where a wish comes from.
[[nodiscard]] inline Origin origin_at(const Place& place, std::string pointer = {}) {
    return {.file = place.file,
            .line = place.line,
            .column = place.column,
            .pointer = std::move(pointer)};
}

/// Where it stands, of what a file holds.
[[nodiscard]] inline Place file_place(const Origin& origin) {
    return {origin.file, origin.line, origin.column};
}

}  // namespace core

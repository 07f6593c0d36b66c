// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "core/json/tree.hpp"
#include "core/model/desired.hpp"

namespace core {

/// The origin of a desired value that is stated at this place of a file.
[[nodiscard]] inline Origin origin_at(const Place& place, std::string pointer = {}) {
    return {.file = place.file,
            .line = place.line,
            .column = place.column,
            .pointer = std::move(pointer)};
}

/// The place in a file where the desired value is stated.
[[nodiscard]] inline Place file_place(const Origin& origin) {
    return {origin.file, origin.line, origin.column};
}

}  // namespace core

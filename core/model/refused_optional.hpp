// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/model/shape.hpp"

namespace core {

struct Field;

/// An optional value that the device refused when a run wrote it, and that the run went on
/// without.
struct RefusedOptional {
    std::string port{};
    const Field* field = nullptr;
    std::string element{};         ///< "" for a plain setting
    std::optional<Value> value{};  ///< nothing: that the element goes
    std::string text{};            ///< what the device said, and to what
    std::string time{};            ///< when the run began: UTC, as RFC 3339 writes it
    bool operator==(const RefusedOptional&) const = default;
};

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/model/shape.hpp"

namespace core {

struct Field;

/// An optional value that the device refused in an apply, which went on without it.
struct RefusedOptional {
    std::string port{};
    const Field* field = nullptr;
    std::string element{};         ///< "" for a plain setting
    std::optional<Value> value{};  ///< nothing: that the element should be absent
    std::string text{};            ///< the refusal, and what it answered
    std::string time{};            ///< when the run began: UTC, in RFC 3339 form
    bool operator==(const RefusedOptional&) const = default;
};

}  // namespace core

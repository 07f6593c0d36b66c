// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/json/json.hpp"

namespace core::schema {

Json reference(const std::string& name);
/// The value, or a text with `${…}` in it.
Json or_variable(Json value);
Json or_null(Json value);
/// With these members and no other.
Json closed_object(Json properties);

Json number(std::uint64_t min, std::uint64_t max);
Json text(Shape::Text text);
/// What a profile may state of a setting of the shape.
Json value(const Shape& shape);

}  // namespace core::schema

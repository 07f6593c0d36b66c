// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/model/object.hpp"
#include "core/model/shape.hpp"

namespace core {

/// The value of a variable in a library's file: one line, without blanks around it.
extern const Shape kVariable;

/// Why a library has no variable of the name: its own begin with `prefix` and are capitals, digits
/// and underscores. `such_as` is one that it has.
std::optional<std::string> illegal_variable(std::string_view name, std::string_view prefix,
                                            std::string_view such_as);

/// How sed and echo make the file say `then`.
Commands variable_edits(const std::map<std::string, std::string, std::less<>>& now,
                        const std::map<std::string, std::string, std::less<>>& then,
                        const std::string& path);

}  // namespace core

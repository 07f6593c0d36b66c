// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace core {

/// Whether the whole name matches the pattern; `*`, `?` and `[a-z]` as in glob(7).
bool glob_matches(std::string_view pattern, std::string_view name);
bool is_glob(std::string_view text);

/// A pattern that matches only this name.
std::string literal(std::string_view name);

}  // namespace core

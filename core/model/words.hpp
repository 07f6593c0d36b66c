// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace core {

/// What stands between any of these characters, none of it empty.
std::vector<std::string> words_in(std::string_view text, std::string_view between = " \t");

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace core {

/// The non-empty words of the text, separated by any of these characters.
std::vector<std::string> words_in(std::string_view text, std::string_view between = " \t");

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace cli {

/// A line of text, escaped for man(7).
std::string roff(std::string_view text);

/// Operands such as `[ID]` with placeholders in italics and literal text in bold.
std::string with_fonts(std::string_view operands);

}  // namespace cli

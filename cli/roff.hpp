// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace cli {

/// A line of text as man(7) takes it.
std::string roff(std::string_view text);

/// `[ID]` with what stands for something in italics, and what is typed as it is in bold.
std::string with_fonts(std::string_view operands);

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cli {

/// Whether the program, the first word of the line, ends with 0 within 10 s; else why not. Words
/// are split as a shell does, and nothing else is done to them (wordexp(3), WRDE_NOCMD).
std::string command_fails(const std::string& line);

}  // namespace cli

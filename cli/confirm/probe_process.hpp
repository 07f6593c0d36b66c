// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cli {

/// Runs the program in the first word of the line. Empty where it exits with 0 within 10 s; else
/// why not. The line is split into words as by a shell, without command substitution (wordexp(3),
/// WRDE_NOCMD).
std::string command_fails(const std::string& line);

}  // namespace cli

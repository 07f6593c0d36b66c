// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace cli {

/// What --help prints for a command, a group of commands (`profile`), or, with "", the program.
std::string help(std::string_view command);

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace cli {

/// The --help text of a command or of a group of commands (`profile`); with "", of the program.
std::string help(std::string_view command);

}  // namespace cli

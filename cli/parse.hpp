// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"

namespace cli {

/// A parsed command line: a command to run, or a text to print (help, version).
struct Invocation {
    const Command* command = nullptr;
    Options options;
    std::string text;
};

/// Parses the command line. Throws Error (usage) with one line.
Invocation parse(const std::vector<std::string>& arguments);

/// The command named by the arguments, even where they are invalid otherwise; "" for none.
std::string command_in(const std::vector<std::string>& arguments);

/// The output form requested by the arguments, even where they are invalid otherwise.
Output form_in(const std::vector<std::string>& arguments);

}  // namespace cli

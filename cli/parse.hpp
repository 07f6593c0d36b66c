// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"

namespace cli {

/// A command line understood: a command to run, or, where there is none, a text to print.
struct Invocation {
    const Command* command = nullptr;
    Options options;
    std::string text;
};

/// Throws Error (usage) with one line.
Invocation parse(const std::vector<std::string>& arguments);

/// The command that the arguments name, also where they are wrong otherwise; "" for none.
std::string command_in(const std::vector<std::string>& arguments);

/// The form that the arguments ask for, also where they are wrong otherwise.
Output form_in(const std::vector<std::string>& arguments);

}  // namespace cli

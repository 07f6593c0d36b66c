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

/// Whether the arguments ask for JSON, also where they are wrong otherwise.
bool asks_for_json(const std::vector<std::string>& arguments);

}  // namespace cli

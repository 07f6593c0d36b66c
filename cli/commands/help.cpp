// SPDX-License-Identifier: Apache-2.0
#include "cli/help.hpp"

#include <algorithm>

#include "cli/command.hpp"

namespace cli {

core::Status print_help(Session& session) {
    std::string name;
    for (const std::string& word : session.options.operands)
        name += (name.empty() ? "" : " ") + word;
    const bool known =
        name.empty() || std::ranges::any_of(commands(), [&name](const Command& command) {
            return command.name == name || command.name.starts_with(name + ' ');
        });
    if (!known)
        throw core::Error(core::Status::usage,
                          "help: unknown command '" + name + "'; rocectl help lists them");
    session.out << help(name);
    return core::Status::done;
}

}  // namespace cli

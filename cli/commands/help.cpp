// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "cli/command.hpp"

namespace cli {
namespace {

/// The words of commands, and those behind them.
std::vector<std::string> command_words() {
    std::vector<std::string> out;
    const auto add = [&out](std::string_view word) {
        if (std::ranges::find(out, word) == out.end()) out.emplace_back(word);
    };
    for (const Command* const each : commands())
        add(each->name.substr(0, each->name.find(' ')));
    for (const Command* const each : commands())
        if (const std::size_t blank = each->name.find(' '); blank != std::string_view::npos)
            out.emplace_back(each->name.substr(blank + 1));
    return out;
}

}  // namespace

constinit const Command command::print_help{
    .name = "help",
    .operands = "[COMMAND]",
    .operands_max = 2,
    .help = "Print what a command takes, or the list of commands",
    .operand_words = command_words,
    .run = cli::print_help};

core::Status print_help(Session& session) {
    std::string name;
    for (const std::string& word : session.options.operands)
        name += (name.empty() ? "" : " ") + word;
    const bool known =
        name.empty() || std::ranges::any_of(commands(), [&name](const Command* command) {
            return command->name == name || command->name.starts_with(name + ' ');
        });
    if (!known)
        throw core::Error(core::Status::usage,
                          "help: unknown command '" + name + "'; rocectl help lists them");
    session.out << help(name);
    return core::Status::done;
}

}  // namespace cli

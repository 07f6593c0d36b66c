// SPDX-License-Identifier: Apache-2.0
#include "cli/command.hpp"

#include <algorithm>
#include <array>

#include "cli/views/style.hpp"

namespace cli {
namespace {

#define CLI_ROW(name) &command::name,
constexpr std::array kCommands = {CLI_COMMANDS(CLI_ROW)};
#undef CLI_ROW

Row option_line(const OptionRow& row) {
    std::string left = row.letter.empty() ? "    " : std::string(row.letter) + ", ";
    left += row.name;
    if (!row.value.empty()) left += ' ' + std::string(row.value);
    return {left, std::string(row.help)};
}

/// Where all of it is reported.
std::string page_line(std::string_view command) {
    return "\nMore: man 8 " + manual_page(command) + "\n";
}

std::string command_help(const Command& command) {
    std::vector<Row> options;
    for (const OptionRow* row : command.options)
        options.push_back(option_line(*row));
    for (const OptionRow& row : common_options())
        options.push_back(option_line(row));
    options.push_back({"-h, --help", "Print this"});
    std::string usage = "Usage: rocectl " + std::string(command.name) + " [OPTION]...";
    if (!command.operands.empty()) usage += ' ' + std::string(command.operands);
    return usage + "\n\n" + std::string(command.help) + ".\n\n" + table(options, "  ") +
           page_line(command.name);
}

/// The commands whose names start with `group`; all of them for "".
std::string group_help(std::string_view group) {
    std::vector<Row> rows;
    for (const Command* const command : commands()) {
        if (!command->name.starts_with(group)) continue;
        std::string left(command->name);
        if (!command->operands.empty()) left += ' ' + std::string(command->operands);
        rows.push_back({left, std::string(command->help)});
    }
    std::string usage = "Usage: rocectl ";
    if (!group.empty()) usage += std::string(group) + ' ';
    return usage + "COMMAND [OPTION]... [ARGUMENT]...\n\n" + table(rows, "  ") +
           (group.empty() ? "" : page_line(group));
}

}  // namespace

std::span<const Command* const> commands() {
    return kCommands;
}

const Command* find_command(std::string_view name) {
    const auto at = std::ranges::find(kCommands, name, &Command::name);
    return at == kCommands.end() ? nullptr : *at;
}

std::string manual_page(std::string_view command) {
    return "rocectl-" + std::string(command.substr(0, command.find(' ')));
}

std::string help(std::string_view command) {
    if (const Command* const row = find_command(command)) return command_help(*row);
    if (!command.empty()) return group_help(command);
    return "Bring a host onto a RoCE v2 fabric and keep it there.\n\n" + group_help("") +
           "\nrocectl COMMAND --help lists a command's options, rocectl --version prints the "
           "version.\nSee rocectl(8) and rocectl-profile(5).\n";
}

}  // namespace cli

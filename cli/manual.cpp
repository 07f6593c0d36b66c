// SPDX-License-Identifier: Apache-2.0
// What the rows of commands say in the pages of section 8.
#include "cli/manual.hpp"

#include <algorithm>
#include <cctype>

#include "cli/command.hpp"
#include "cli/roff.hpp"

namespace cli {
namespace {

std::vector<const Command*> commands_of_page(const std::string& page) {
    std::vector<const Command*> out;
    for (const Command& command : commands())
        if (manual_page(command.name) == page) out.push_back(&command);
    return out;
}

/// `.B rocectl plan`, and in lines of their own what the command takes.
std::string synopsis_line(const Command& command) {
    std::string out = ".B rocectl " + roff(command.name) + "\n[\\fIOPTION\\fP]...";
    if (!command.operands.empty()) out += ' ' + with_fonts(command.operands);
    return out + '\n';
}

}  // namespace

std::string manual_page(std::string_view command) {
    return "rocectl-" + std::string(command.substr(0, command.find(' ')));
}

std::vector<std::string> manual_pages() {
    std::vector<std::string> out;
    for (const Command& command : commands())
        if (std::string page = manual_page(command.name); std::ranges::find(out, page) == out.end())
            out.push_back(std::move(page));
    return out;
}

std::string manual_commands() {
    std::string out;
    for (const Command& command : commands()) {
        out += ".TP\n.B rocectl " + roff(command.name);
        if (!command.operands.empty()) out += " \\fR" + with_fonts(command.operands);
        out += '\n' + roff(command.help) + ":\n.BR " + roff(manual_page(command.name)) + " (8).\n";
    }
    return out;
}

std::string manual_head(const std::string& page) {
    const std::vector<const Command*> rows = commands_of_page(page);
    std::string out;
    if (rows.size() == 1) {
        std::string what(rows.front()->help);
        what.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(what.front())));
        out += ".SH NAME\n" + roff(page) + " \\- " + roff(what) + '\n';
    }
    out += ".SH SYNOPSIS\n";
    for (const Command* const row : rows) {
        if (row != rows.front()) out += ".br\n";
        out += synopsis_line(*row);
    }
    return out;
}

}  // namespace cli

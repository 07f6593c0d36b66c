// SPDX-License-Identifier: Apache-2.0
// What the rows of commands and of options say in the pages of section 8.
#include "cli/manual.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include "cli/command.hpp"
#include "cli/roff.hpp"
#include "core/error.hpp"

namespace cli {
namespace {

constexpr std::string_view kByHand = ".\\\" By hand:\n";
constexpr std::string_view kEntry = ".TP\n";
constexpr std::string_view kMain = "rocectl";

/// An option, and the commands that take it; none where every command does.
struct Taken {
    const OptionRow* row = nullptr;
    std::vector<std::string_view> by{};
};

/// The options of the commands of a page, or of all commands.
std::vector<Taken> taken_in(const std::string& page) {
    std::vector<Taken> out;
    for (const Command* const command : commands()) {
        if (page != kMain && manual_page(command->name) != page) continue;
        for (const OptionRow* const row : command->options) {
            const auto at = std::ranges::find(out, row, &Taken::row);
            if (at == out.end())
                out.push_back({.row = row, .by = {command->name}});
            else
                at->by.push_back(command->name);
        }
    }
    return out;
}

bool on_one_page(const Taken& option) {
    return std::ranges::all_of(option.by, [&option](std::string_view command) {
        return manual_page(command) == manual_page(option.by.front());
    });
}

/// What rocectl(8) has: the options of more pages than one, and those of every command.
std::vector<Taken> shared_options() {
    std::vector<Taken> out = taken_in(std::string(kMain));
    std::erase_if(out, on_one_page);
    for (const OptionRow& row : common_options())
        out.push_back({.row = &row});
    return out;
}

std::vector<Taken> options_of_page(const std::string& page) {
    return page == kMain ? shared_options() : taken_in(page);
}

/// An entry as a text has it: `\-\-state`, what the row said, and what follows that by hand.
struct ManualEntry {
    std::string name{};
    std::string by_row{};
    std::string words{};
};

std::vector<ManualEntry> entries_in(const std::string& text) {
    std::vector<ManualEntry> out;
    for (std::size_t at = text.find(kEntry); at < text.size();) {
        const std::size_t next = std::min(text.find("\n.TP\n", at), text.size() - 1) + 1;
        const std::string entry = text.substr(at, next - at);
        const std::size_t dashes = std::min(entry.find("\\-\\-"), entry.size());
        const std::size_t hand = entry.find(kByHand);
        out.push_back(
            {.name = entry.substr(dashes, entry.find_first_of(" \n", dashes) - dashes),
             .by_row = entry.substr(0, hand),
             .words = hand == std::string::npos ? "" : entry.substr(hand + kByHand.size())});
        at = next;
    }
    return out;
}

/// Whether it is of the row; by its name alone, or by its first sentence too.
bool is_of(const ManualEntry& reported, const OptionRow& row, bool by_sentence) {
    return reported.name == roff(row.name) &&
           (!by_sentence ||
            reported.by_row.find('\n' + roff(row.help) + ".\n") != std::string::npos);
}

std::string stray_words(const std::string& page, const std::string& name) {
    return page + "(8) has words on " + name + ", which is no option of it";
}

/// What the text has by hand of each option. Several can have one name: their sentences tell them
/// apart, and where one has changed, the order.
std::map<const OptionRow*, std::string> by_hand(const std::string& page, const std::string& text) {
    std::vector<ManualEntry> entries = entries_in(text);
    std::map<const OptionRow*, std::string> out;
    for (const bool by_sentence : {true, false})
        for (const Taken& option : options_of_page(page)) {
            const auto at = std::ranges::find_if(entries, [&](const ManualEntry& reported) {
                return is_of(reported, *option.row, by_sentence);
            });
            if (at == entries.end() || out.contains(option.row)) continue;
            out[option.row] = at->words;
            entries.erase(at);
        }
    for (const ManualEntry& reported : entries)
        if (!reported.words.empty())
            throw core::Error(core::Status::invalid_input, stray_words(page, reported.name));
    return out;
}

/// `.RB ( plan ", " apply )`.
std::string takers_line(const std::vector<std::string_view>& commands) {
    std::string out;
    for (const std::string_view command : commands)
        out.append(out.empty() ? ".RB ( \"" : " \", \" \"").append(command).append("\"");
    return out.empty() ? out : out + " )\n";
}

std::string head_line(const OptionRow& row) {
    std::string out = ".BR ";
    if (!row.letter.empty()) out += roff(row.letter) + " \", \" ";
    out += roff(row.name);
    if (!row.value.empty()) out += " \" " + with_fonts(row.value) + '"';
    return out + '\n';
}

std::string option_entry(const Taken& option) {
    std::string out = std::string(kEntry) + head_line(*option.row);
    out += takers_line(option.by) + roff(option.row->help) + ".\n";
    if (option.row->repeats && !option.row->value.empty()) out += "May be repeated.\n";
    return out;
}

/// `.BR \-\-root ", " \-\-quiet " and " \-\-help`.
std::string names_line(const std::vector<std::string_view>& names) {
    std::string out = ".BR ";
    for (std::size_t at = 0; at < names.size(); ++at) {
        if (at > 0) out += at + 1 < names.size() ? " \", \" " : " \" and \" ";
        out += roff(names[at]);
    }
    return out;
}

/// Where the rest is reported: of what every command takes, and more of what others take too.
std::string pointer_line(const std::vector<std::string_view>& reported_there) {
    std::vector<std::string_view> common;
    for (const OptionRow& row : common_options())
        common.push_back(row.name);
    common.insert(common.end(), {"--version", "--help"});
    std::string out =
        "OPTIONS of\n.BR rocectl (8)\ntells what every command takes,\n" + names_line(common);
    if (reported_there.empty()) return out + " .\n";
    return out + " ,\nand more of\n" + names_line(reported_there) + " .\n";
}

std::vector<const Command*> commands_of_page(const std::string& page) {
    std::vector<const Command*> out;
    for (const Command* const command : commands())
        if (manual_page(command->name) == page) out.push_back(command);
    return out;
}

/// `.B rocectl plan`, and in lines of their own what the command takes.
std::string synopsis_line(const Command& command) {
    std::string out = ".B rocectl " + roff(command.name) + "\n[\\fIOPTION\\fP]...";
    if (!command.operands.empty()) out += ' ' + with_fonts(command.operands);
    return out + '\n';
}

}  // namespace

std::vector<std::string> manual_pages() {
    std::vector<std::string> out;
    for (const Command* const command : commands())
        if (std::string page = manual_page(command->name);
            std::ranges::find(out, page) == out.end())
            out.push_back(std::move(page));
    return out;
}

std::string manual_commands() {
    std::string out;
    for (const Command* const command : commands()) {
        out += ".TP\n.B rocectl " + roff(command->name);
        if (!command->operands.empty()) out += " \\fR" + with_fonts(command->operands);
        out +=
            '\n' + roff(command->help) + ":\n.BR " + roff(manual_page(command->name)) + " (8).\n";
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

std::string manual_options(const std::string& page, const std::string& before,
                           const std::string& shared) {
    std::map<const OptionRow*, std::string> words = by_hand(page, before);
    std::map<const OptionRow*, std::string> elsewhere;
    if (page != kMain) elsewhere = by_hand(std::string(kMain), shared);
    const auto commands_here = std::ranges::count(
        commands(), page, [](const Command* command) { return manual_page(command->name); });
    std::string entries;
    std::vector<std::string_view> reported_there;
    for (Taken option : options_of_page(page)) {
        if (std::ssize(option.by) == commands_here) option.by.clear();
        if (!elsewhere[option.row].empty()) reported_there.push_back(option.row->name);
        entries += option_entry(option);
        if (!words[option.row].empty()) entries.append(kByHand).append(words[option.row]);
    }
    return page == kMain ? entries : pointer_line(reported_there) + entries;
}

}  // namespace cli

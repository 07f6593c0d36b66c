// SPDX-License-Identifier: Apache-2.0
#include "cli/views/quoted.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "cli/views/printable.hpp"
#include "cli/views/style.hpp"
#include "core/json/bytes.hpp"
#include "core/json/json.hpp"

namespace cli {
namespace {

/// What is not UTF-8 replaced, as in the JSON documents.
std::string utf8(std::string_view text) {
    const core::Json quoted = std::string(text);
    const std::string whole = core::written(quoted);
    return core::Json::parse(whole).get<std::string>();
}

std::string_view entity(char c) {
    switch (c) {
        case '&': return "&amp;";
        case '<': return "&lt;";
        case '>': return "&gt;";
        case '"': return "&quot;";
        case '\'': return "&#39;";
        default: return {};
    }
}

/// With `?` for U+FFFE and U+FFFF, which XML has not (XML 1.0, 2.2), of a text in UTF-8.
std::string without_noncharacters(std::string text) {
    for (const std::string_view none : {"\xef\xbf\xbe", "\xef\xbf\xbf"})
        for (std::size_t at = 0; (at = text.find(none, at)) != std::string::npos;)
            text.replace(at, none.size(), "?");
    return text;
}

/// Where one of the marks stands before a blank, else the text's end.
std::size_t end_of_part(std::string_view text, std::string_view marks) {
    std::size_t at = text.find_first_of(marks);
    while (at < text.size() && !text.substr(at + 1).starts_with(' '))
        at = text.find_first_of(marks, at + 1);
    return std::min(at, text.size());
}

/// How long the command is with which the text begins; 0 where it begins with none.
std::size_t command_at(std::string_view text) {
    constexpr std::array<std::string_view, 22> programs{
        "cat",    "cpupower",  "dcb",   "devlink",   "dmesg",   "echo",  "ethtool", "grep",
        "ip",     "ls",        "lspci", "modprobe",  "nft",     "ping",  "rdma",    "rocectl",
        "sysctl", "systemctl", "tc",    "tuned-adm", "udevadm", "ulimit"};
    // What tells of a command is no command.
    constexpr std::array<std::string_view, 6> prose{" of ",  " that ", " and ",
                                                    " the ", " once ", " with "};
    const std::string_view program = text.substr(0, text.find(' '));
    if (program == text || std::ranges::find(programs, program) == programs.end()) return 0;
    std::size_t out = end_of_part(text, ";,");
    for (const std::string_view verb : {" lists ", " tells ", " shows "})
        out = std::min(out, text.find(verb));
    const std::string_view command = text.substr(0, out);
    const bool is_prose = std::ranges::any_of(
        prose, [&](std::string_view word) { return command.find(word) != std::string_view::npos; });
    return is_prose ? 0 : out;
}

/// More backticks than stand next to each other anywhere in the text.
std::string fence(std::string_view text, std::size_t least) {
    std::size_t longest = 0;
    std::size_t run = 0;
    for (const char c : text) {
        run = c == '`' ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    return std::string(std::max(least, longest + 1), '`');
}

}  // namespace

std::string xml(std::string_view text) {
    std::string out;
    for (const char c : without_noncharacters(utf8(text))) {
        if (const std::string_view named = entity(c); !named.empty())
            out += named;
        else if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t')
            out += '?';
        else
            out += c;
    }
    return out;
}

std::string label(std::string_view text) {
    std::string out;
    for (const char c : on_one_line(text)) {
        if (c == '\\' || c == '"') out += '\\';
        out += c;
    }
    return out;
}

std::string markdown_code(std::string_view text) {
    const std::string line = on_one_line(text);
    if (line.empty()) return {};
    const std::string ticks = fence(line, 1);
    // A backtick at an end would be the fence's, and a blank at both ends is taken away.
    const bool apart =
        line.front() == '`' || line.back() == '`' || (line.front() == ' ' && line.back() == ' ');
    const std::string_view blank = apart ? " " : "";
    std::string out = ticks;
    out += blank;
    out += line;
    out += blank;
    return out + ticks;
}

std::string markdown_block(std::string_view text) {
    const std::string shown = printable(text);
    const std::string ticks = fence(shown, 3);
    return ticks + "text\n" + shown + (shown.ends_with('\n') ? "" : "\n") + ticks + '\n';
}

std::string paste_line(const std::string& command) {
    return std::string(kPaste) + on_one_line(command) + '\n';
}

std::vector<Piece> pieces_of(const std::string& text) {
    std::vector<Piece> out;
    std::string words;
    const auto end_words = [&] {
        if (const std::size_t last = words.find_last_not_of(' '); last != std::string::npos)
            out.push_back({.text = words.substr(0, last + 1)});
        words.clear();
    };
    for (std::string_view rest = text; !rest.empty();) {
        std::size_t before = 0;
        for (const std::string_view word : {"or ", "and ", "then ", "later "})
            if (rest.starts_with(word)) before = word.size();
        const std::size_t command = command_at(rest.substr(before));
        if (command == 0) {
            const std::size_t end = std::min(end_of_part(rest, ";,:") + 2, rest.size());
            words += rest.substr(0, end);
            rest.remove_prefix(end);
            continue;
        }
        words += rest.substr(0, before);
        end_words();
        out.push_back({.command = true, .text = std::string(rest.substr(before, command))});
        rest.remove_prefix(before + command);
        const std::size_t next = rest.find_first_not_of(";, ");
        rest.remove_prefix(std::min(next, rest.size()));
    }
    end_words();
    return out;
}

std::string plugin_text(std::string_view text) {
    std::string out = on_one_line(text);
    for (char& c : out)
        if (c == '|') c = '/';
    return out;
}

}  // namespace cli

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

Pasted pasted(const std::string& text) {
    constexpr std::array<std::string_view, 20> programs{
        "cat",     "cpupower", "dcb",       "devlink",  "dmesg",     "echo",  "ethtool",
        "grep",    "ip",       "lspci",     "modprobe", "nft",       "ping",  "rdma",
        "rocectl", "sysctl",   "systemctl", "tc",       "tuned-adm", "ulimit"};
    // What tells of a command is no command.
    constexpr std::array<std::string_view, 8> prose{" of ",    " lists ", " tells ", " that ",
                                                    " shows ", " and ",   " the ",   " once "};
    Pasted out;
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find_first_of(";,"), rest.size());
        const std::string_view part = rest.substr(0, end);
        const std::string_view program = part.substr(0, part.find(' '));
        const bool ends = end == rest.size() || rest.substr(end + 1).starts_with(' ');
        const bool is_prose = std::ranges::any_of(prose, [&](std::string_view word) {
            return part.find(word) != std::string_view::npos;
        });
        if (!ends || is_prose || std::ranges::find(programs, program) == programs.end()) break;
        out.commands.emplace_back(part);
        rest.remove_prefix(std::min(end + 2, rest.size()));
    }
    out.words = rest;
    return out;
}

std::string plugin_text(std::string_view text) {
    std::string out = on_one_line(text);
    for (char& c : out)
        if (c == '|') c = '/';
    return out;
}

}  // namespace cli

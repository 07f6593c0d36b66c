// SPDX-License-Identifier: Apache-2.0
#include "cli/views/style.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <random>

namespace cli {
namespace {

/// Columns a UTF-8 text takes on a terminal: its characters, without SGR sequences.
std::size_t width(std::string_view text) {
    std::size_t columns = 0;
    bool in_sequence = false;
    for (const char c : text) {
        if (c == '\x1b') in_sequence = true;
        const bool continues = (static_cast<unsigned char>(c) & 0xc0U) == 0x80U;
        if (!in_sequence && !continues) ++columns;
        if (in_sequence && c == 'm') in_sequence = false;
    }
    return columns;
}

/// What stands in a cell stays in its line. Sequences are kept: the cell may be painted.
std::string in_one_line(std::string_view cell) {
    std::string out;
    for (const char c : cell) {
        if (c == '\n')
            out += "\\u000a";
        else
            out += c;
    }
    return out;
}

/// The sequence with this process's mark behind its first byte: figures and letters from a to f.
std::string marked(std::string_view sequence) {
    static const std::string mark = [] {
        std::random_device random;
        std::string out;
        for (int i = 0; i < 16; ++i)
            out += "0123456789abcdef"[random() % 16];
        return out;
    }();
    return std::string(sequence.substr(0, 1)).append(mark).append(sequence.substr(1));
}

std::optional<unsigned> number_after(std::string_view text, std::size_t space) {
    unsigned out = 0;
    if (space == std::string_view::npos) return std::nullopt;
    const std::string_view digits = text.substr(space + 1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
    if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return out;
}

bool same_but(const Row& left, const Row& right, std::size_t column) {
    if (left.size() != right.size()) return false;
    for (std::size_t i = 0; i < left.size(); ++i)
        if (i != column && left[i] != right[i]) return false;
    return true;
}

}  // namespace

std::string Style::paint(std::string_view sequence, std::string_view text) const {
    std::string line = in_one_line(text);
    if (!colour) return line;
    return marked(sequence).append(line).append(marked("\x1b[0m"));
}

Style::Sequence Style::sequence_at(std::string_view text) {
    for (const std::string_view one : {"\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m"})
        if (const std::string whole = marked(one); text.starts_with(whole))
            return {.size = whole.size(), .for_terminal = one};
    return {};
}

std::string table(const std::vector<Row>& rows, std::string_view indent, std::size_t most) {
    std::vector<std::size_t> widths;
    for (const Row& row : rows) {
        if (row.size() > widths.size()) widths.resize(row.size());
        for (std::size_t i = 0; i < row.size(); ++i)
            if (width(row[i]) <= most) widths[i] = std::max(widths[i], width(row[i]));
    }
    std::string out;
    for (const Row& row : rows) {
        std::string line(indent);
        std::size_t start = width(indent);
        for (std::size_t i = 0; i < row.size(); ++i) {
            // What an overlong cell pushes comes back to its column where there is room.
            const std::size_t end = width(line);
            if (!row[i].empty()) {
                const std::size_t least = i == 0 ? end : end + 2;
                line.append(std::max(start, least) - end, ' ');
                line += in_one_line(row[i]);
            }
            start += widths[i] + 2;
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + '\n';
    }
    return out;
}

std::vector<Row> grouped(const std::vector<Row>& rows, std::size_t column) {
    std::vector<Row> out;
    std::string name;
    std::string last;
    for (const Row& row : rows) {
        const std::string& cell = row.at(column);
        const std::size_t space = cell.rfind(' ');
        const auto number = number_after(cell, space);
        if (!out.empty() && number && *number > 0 &&
            last == cell.substr(0, space + 1) + std::to_string(*number - 1) &&
            same_but(out.back(), row, column)) {
            out.back().at(column) = name + '-' + std::to_string(*number);
        } else {
            out.push_back(row);
            name = cell;
        }
        last = cell;
    }
    return out;
}

std::string wrapped(const std::vector<std::string>& items, std::string_view separator,
                    std::string_view indent) {
    constexpr std::size_t columns = 100;
    std::string out;
    std::string line;
    for (const std::string& whole : items) {
        const std::string item = in_one_line(whole);
        if (line.empty()) {
            line = std::string(indent) + item;
        } else if (width(line) + width(separator) + width(item) <= columns) {
            line.append(separator).append(item);
        } else {
            out += line + '\n';
            line = std::string(indent) + item;
        }
    }
    return line.empty() ? out : out + line + '\n';
}

std::string count(std::size_t number, std::string_view noun) {
    return std::to_string(number) + ' ' + std::string(noun) + (number == 1 ? "" : "s");
}

}  // namespace cli

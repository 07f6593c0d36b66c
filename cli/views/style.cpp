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

/// The text on lines of up to `most` columns, ended at blanks, or within a word that is wider.
Row broken(std::string_view text, std::size_t most) {
    Row out{""};
    while (!text.empty()) {
        const std::size_t blanks = std::min(text.find_first_not_of(' '), text.size());
        const std::size_t end = std::min(text.find(' ', blanks), text.size());
        std::string word(text.substr(blanks, end - blanks));
        text.remove_prefix(end);
        if (!out.back().empty() && width(out.back()) + blanks + width(word) > most)
            out.emplace_back();
        else
            out.back().append(blanks, ' ');
        while (width(word) > most && word.find('\x1b') == std::string::npos) {
            std::size_t bytes = 0;
            for (std::size_t columns = 0; bytes < word.size(); ++bytes)
                if ((static_cast<unsigned char>(word[bytes]) & 0xc0U) != 0x80U && columns++ == most)
                    break;
            out.back() += word.substr(0, bytes);
            word.erase(0, bytes);
            out.emplace_back();
        }
        out.back() += word;
    }
    return out;
}

/// The lines of a cell, each painted as the cell is.
Row pieces(const std::string& cell, std::size_t most) {
    if (width(cell) <= most) return {cell};
    const std::size_t before = Style::sequence_at(cell).size;
    const std::string reset = marked("\x1b[0m");
    if (before == 0 || !cell.ends_with(reset)) return broken(cell, most);
    const std::string paint = cell.substr(0, before);
    Row out = broken(cell.substr(before, cell.size() - before - reset.size()), most);
    for (std::string& line : out)
        line.insert(0, paint).append(reset);
    return out;
}

std::size_t widest_word(std::string_view text) {
    std::size_t out = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        out = std::max(out, width(text.substr(0, end)));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

/// The widths of the columns, so that a line is at most so wide: the widest give way, first as far
/// as their words allow.
std::vector<std::size_t> widths_of(const std::vector<Row>& rows, std::size_t indent,
                                   std::size_t most) {
    constexpr std::size_t least = 6;
    std::vector<std::size_t> widths;
    std::vector<std::size_t> words;
    for (const Row& row : rows) {
        if (row.size() > widths.size()) widths.resize(row.size());
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], width(row[i]));
    }
    const auto total = [&] {
        std::size_t out = indent + (widths.empty() ? 0 : 2 * (widths.size() - 1));
        for (const std::size_t column : widths)
            out += column;
        return out;
    };
    if (total() <= most) return widths;
    words.resize(widths.size(), least);
    for (const Row& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            words[i] = std::max(words[i], widest_word(row[i]));
    for (const bool within_words : {false, true})
        while (total() > most) {
            std::size_t* widest = nullptr;
            for (std::size_t i = 0; i < widths.size(); ++i)
                if (widths[i] > (within_words ? least : words[i]) &&
                    (widest == nullptr || widths[i] >= *widest))
                    widest = &widths[i];
            if (widest == nullptr) break;
            --*widest;
        }
    return widths;
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

std::string table(const std::vector<Row>& given, std::string_view indent, std::size_t most) {
    std::vector<Row> rows = given;
    for (Row& row : rows)
        std::ranges::transform(row, row.begin(), in_one_line);
    const std::vector<std::size_t> widths = widths_of(rows, width(indent), most);
    std::string out;
    for (const Row& row : rows) {
        std::vector<Row> cells;
        std::size_t lines = 0;
        for (std::size_t i = 0; i < row.size(); ++i) {
            cells.push_back(pieces(row[i], widths[i]));
            lines = std::max(lines, cells.back().size());
        }
        for (std::size_t n = 0; n < lines; ++n) {
            std::string line(indent);
            std::size_t start = width(indent);
            for (std::size_t i = 0; i < row.size(); ++i) {
                if (n < cells[i].size() && !cells[i][n].empty()) {
                    line.append(start - width(line), ' ');
                    line += cells[i][n];
                }
                start += widths[i] == 0 ? 0 : widths[i] + 2;
            }
            line.erase(line.find_last_not_of(' ') + 1);
            out += line + '\n';
        }
        if (lines == 0) out += '\n';
    }
    return out;
}

std::string figures(const std::vector<Row>& rows, std::size_t keys, std::size_t most) {
    const std::vector<std::size_t> widths = widths_of(rows, 0, std::string::npos);
    std::string out;
    for (std::size_t first = keys; first < widths.size();) {
        std::size_t last = first;
        std::size_t wide = 0;
        for (std::size_t i = 0; i < keys; ++i)
            wide += widths[i] + 2;
        while (last < widths.size() && (last == first || wide + widths[last] <= most))
            wide += widths[last++] + 2;
        std::vector<Row> part;
        for (const Row& row : rows) {
            Row& cells = part.emplace_back();
            for (std::size_t i = 0; i < row.size(); ++i)
                if (i < keys || (i >= first && i < last)) cells.push_back(row[i]);
        }
        out += (out.empty() ? "" : "\n") + table(part, "", most);
        first = last;
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
                    std::string_view indent, std::size_t most) {
    std::string out;
    std::string line;
    for (const std::string& whole : items) {
        const std::string item = in_one_line(whole);
        if (line.empty()) {
            line = std::string(indent) + item;
        } else if (width(line) + width(separator) + width(item) <= most) {
            line.append(separator).append(item);
        } else {
            out += line + '\n';
            line = std::string(indent) + item;
        }
    }
    return line.empty() ? out : out + line + '\n';
}

std::string fitted(const std::string& text, std::size_t most) {
    if (most == std::string::npos) return text;
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string line = text.substr(at, end - at);
        at = std::min(end + 1, text.size());
        if (width(line) <= most || line.starts_with(kPaste)) {
            out.append(line).append(end < text.size() ? "\n" : "");
            continue;
        }
        const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
        std::size_t hang = width(line.substr(0, indent)) + 2;
        for (std::size_t gap = line.find("  ", indent); gap != std::string::npos;) {
            const std::size_t next = std::min(line.find_first_not_of(' ', gap), line.size());
            if (width(line.substr(0, next)) <= most / 2) hang = width(line.substr(0, next));
            gap = line.find("  ", next);
        }
        // The first line has room for what stands before the column too.
        const Row first = broken(line, most);
        std::string rest = line.substr(first.front().size());
        rest.erase(0, rest.find_first_not_of(' '));
        out += first.front() + '\n';
        for (const std::string& piece : broken(rest, most - hang))
            out += std::string(hang, ' ') + piece + '\n';
        if (end == text.size()) out.pop_back();
    }
    return out;
}

std::string count(std::size_t number, std::string_view noun) {
    return std::to_string(number) + ' ' + std::string(noun) + (number == 1 ? "" : "s");
}

}  // namespace cli

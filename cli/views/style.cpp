// SPDX-License-Identifier: Apache-2.0
#include "cli/views/style.hpp"

#include <algorithm>

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

}  // namespace

std::string table(const std::vector<Row>& rows, std::string_view indent) {
    std::vector<std::size_t> widths;
    for (const Row& row : rows) {
        if (row.size() > widths.size()) widths.resize(row.size());
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], width(row[i]));
    }
    std::string out;
    for (const Row& row : rows) {
        std::string line(indent);
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += row[i];
            line.append(widths[i] - width(row[i]) + 2, ' ');
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + '\n';
    }
    return out;
}

std::string count(std::size_t number, std::string_view noun) {
    return std::to_string(number) + ' ' + std::string(noun) + (number == 1 ? "" : "s");
}

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#include "core/model/shell.hpp"

#include <algorithm>
#include <array>

#include "core/model/letters.hpp"

namespace core {
namespace {

/// What no shell takes for anything but itself, wherever it stands in a word; but see is_bare().
bool is_safe(char c) {
    return is_letter_or_digit(c) ||
           std::string_view("_-./:,@%+=").find(c) != std::string_view::npos;
}

/// Whether it can stand without quotes. At the beginning `=ls` is to zsh where that program is
/// (zshexpn(1), `=' EXPANSION).
bool is_bare(std::string_view text) {
    return !text.empty() && text.front() != '=' && std::ranges::all_of(text, is_safe);
}

bool is_visible(char c) {
    return c >= ' ' && c <= '~';
}

/// `\033`: three octal digits, so that a digit behind them is not read with them.
std::string octal(char c) {
    const auto byte = static_cast<unsigned char>(c);
    constexpr std::string_view digits = "01234567";
    return {'\\', digits.at(byte >> 6U), digits.at(byte >> 3U & 7U), digits.at(byte & 7U)};
}

}  // namespace

std::string shell(std::string_view text) {
    if (is_bare(text)) return std::string(text);
    const bool visible = std::ranges::all_of(text, is_visible);
    std::string out = visible ? "'" : "$'";
    for (const char c : text) {
        if (c == '\'')
            out += visible ? R"('\'')" : R"(\')";
        else if (!is_visible(c))
            out += octal(c);
        else if (c == '\\' && !visible)
            out += R"(\\)";
        else
            out += c;
    }
    return out + '\'';
}

constexpr std::string_view kReason = "  # ";

std::string with_reason(std::string line, std::string_view reason) {
    return line.append(kReason).append(reason);
}

/// What shell() has quoted has no blanks beside the sign but inside quotes, which end behind it.
std::string without_reason(std::string line) {
    const std::size_t at = line.rfind(kReason);
    if (at != std::string::npos && line.find('\'', at) == std::string::npos) line.resize(at);
    return line;
}

}  // namespace core

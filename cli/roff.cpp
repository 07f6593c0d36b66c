// SPDX-License-Identifier: Apache-2.0
#include "cli/roff.hpp"

#include <cctype>

#include "core/model/letters.hpp"

namespace cli {
namespace {

bool is_capital(char c) {
    return std::isupper(static_cast<unsigned char>(c)) != 0;
}

}  // namespace

/// A line that starts with a dot or quote is a request, a backslash an escape.
std::string roff(std::string_view text) {
    std::string out;
    if (text.starts_with('.') || text.starts_with('\'')) out = "\\&";
    for (const char c : text) {
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else
            out += c;
    }
    return out;
}

std::string with_fonts(std::string_view operands) {
    std::string out;
    for (std::size_t at = 0; at < operands.size();) {
        std::size_t end = at;
        while (end < operands.size() && core::is_letter(operands[end]))
            ++end;
        if (end == at) {
            if (operands[at] == '-') out += '\\';
            out += operands[at++];
            continue;
        }
        out += is_capital(operands[at]) ? "\\fI" : "\\fB";
        out.append(operands.substr(at, end - at)).append("\\fP");
        at = end;
    }
    return out;
}

}  // namespace cli

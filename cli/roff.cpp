// SPDX-License-Identifier: Apache-2.0
#include "cli/roff.hpp"

namespace cli {

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

}  // namespace cli

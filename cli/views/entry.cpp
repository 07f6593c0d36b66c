// SPDX-License-Identifier: Apache-2.0
#include "cli/views/entry.hpp"

namespace cli {

std::string text_of(const Entry& entry, const Style& style) {
    std::string out =
        style.bold(entry.name) + '\n' + entry.doc + "\n\n" + table(entry.rows, "  ", style.width);
    for (const Entry::Part& part : entry.parts)
        out += '\n' + part.title + '\n' + table(part.rows, "  ", style.width);
    return fitted(out, style.width);
}

}  // namespace cli

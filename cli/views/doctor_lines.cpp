// SPDX-License-Identifier: Apache-2.0
#include "cli/views/doctor_lines.hpp"

#include <algorithm>

#include "cli/views/printable.hpp"

namespace cli {

std::string line_of(std::string_view head, std::string_view text) {
    constexpr std::size_t wide = 14;
    std::string out = "   " + std::string(head);
    out.resize(std::max(out.size() + 1, wide), ' ');
    return out + on_one_line(std::string(text)) + '\n';
}

std::string more_lines(std::size_t all, std::size_t shown, const Style& style) {
    if (all <= shown || !style.fold) return "";
    return line_of("", "… and " + std::to_string(all - shown) + " more: -v lists them");
}

}  // namespace cli

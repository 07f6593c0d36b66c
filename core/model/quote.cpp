// SPDX-License-Identifier: Apache-2.0
#include "core/model/quote.hpp"

#include <algorithm>

namespace core {

std::string cut(std::string_view text, std::size_t length) {
    std::size_t end = std::min(text.size(), length);
    while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U)
        --end;
    return std::string(text.substr(0, end));
}

std::string in_quotes(std::string_view text) {
    std::string out = "'";
    const std::string start = cut(text, kQuotedLength);
    for (const char c : start)
        out += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    return out + (start.size() < text.size() ? "…'" : "'");
}

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#include "core/model/words.hpp"

#include <algorithm>

namespace core {

std::vector<std::string> words_in(std::string_view text, std::string_view between) {
    std::vector<std::string> out;
    while (true) {
        const std::size_t first = text.find_first_not_of(between);
        if (first == std::string_view::npos) return out;
        const std::size_t end = std::min(text.find_first_of(between, first), text.size());
        out.emplace_back(text.substr(first, end - first));
        text.remove_prefix(end);
    }
}

}  // namespace core

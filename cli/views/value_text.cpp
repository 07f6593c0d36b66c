// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>

#include "cli/views/port_groups.hpp"
#include "core/model/priority.hpp"

namespace cli {
namespace {

template <typename Items>
bool uniform(const Items& items) {
    return items.size() == core::kPriorities &&
           std::ranges::adjacent_find(items, std::not_equal_to{}) == items.end();
}

/// `all ets but 6 strict`, where one stands alone among equals.
std::string but_one(const core::Words& words) {
    for (std::size_t i = 0; i < words.size() && words.size() == core::kPriorities; ++i) {
        core::Words rest = words;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
        if (std::ranges::adjacent_find(rest, std::not_equal_to{}) == rest.end())
            return "all " + rest.front() + " but " + std::to_string(i) + " " + words[i];
    }
    return {};
}

}  // namespace

std::string value_text(const std::optional<core::Value>& value) {
    if (!value) return "none";
    if (const auto* words = std::get_if<core::Words>(&*value); words != nullptr) {
        if (uniform(*words)) return "all " + words->front();
        if (std::string text = but_one(*words); !text.empty()) return text;
    }
    if (const auto* numbers = std::get_if<core::Numbers>(&*value);
        numbers != nullptr && uniform(*numbers))
        return "all " + std::to_string(numbers->front());
    return core::text(*value);
}

}  // namespace cli

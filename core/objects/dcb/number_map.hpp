// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/access.hpp"
#include "core/objects/dcb/parts.hpp"

namespace core {

/// The numbers that a key of a map has: one, or where the kernel holds several, all.
inline Numbers several(const Value& value) {
    if (const auto* number = std::get_if<std::uint64_t>(&value)) return {*number};
    const auto* numbers = std::get_if<Numbers>(&value);
    return numbers == nullptr ? Numbers{} : *numbers;
}

inline void add_number(Elements& elements, std::uint64_t key, std::uint64_t number) {
    // Most come in order.
    const std::size_t before = elements.size();
    const auto found = elements.emplace_hint(elements.end(), std::to_string(key), number);
    if (elements.size() > before) return;
    Numbers numbers = several(found->second);
    numbers.push_back(number);
    found->second = numbers;
}

/// Calls `found(key, number)` for every number of every key.
template <typename Found>
void for_each_number(const Elements& elements, const Found& found) {
    for (const auto& [key, value] : elements)
        for (const std::uint64_t number : several(value))
            found(std::strtoul(key.c_str(), nullptr, 10), number);
}

/// Whether the entry has the selector.
template <std::uint8_t Selector>
bool is_of(const AppEntry& entry) {
    return entry.selector == Selector;
}

}  // namespace core

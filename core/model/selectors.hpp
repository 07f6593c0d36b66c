// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// The name that dcb(8) gives a selector of APP entries; its number where it has none.
std::string selector_word(std::uint8_t selector);
/// The selector of that name or number; nothing where it is neither.
std::optional<std::uint8_t> selector_of(std::string_view word);

/// The order of an APP trust table as `dcb apptrust` spells it, `dscp pcp`; "none" for an empty
/// one.
std::string trust_words(const std::vector<std::uint8_t>& order);
/// The order that words of a kernel's table stand for, numbers of selectors that have no name among
/// them; nothing where they stand for none.
std::optional<std::vector<std::uint8_t>> trust_selectors(std::string_view words);
/// The order that the words, each a selector's name and no two alike, stand for; nothing where they
/// stand for none.
std::optional<std::vector<std::uint8_t>> trust_order(std::string_view words);

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// dcb(8)'s name for a selector of APP entries; its number where it has none.
std::string selector_word(std::uint8_t selector);
/// The selector with this name or number; nothing where the word is neither.
std::optional<std::uint8_t> selector_of(std::string_view word);

/// An APP trust order as `dcb apptrust` spells it, `dscp pcp`; "none" for an empty one.
std::string trust_words(const std::vector<std::uint8_t>& order);
/// Parses the trust order of a kernel's table, in which selectors without a name are numbers.
/// Nothing where a word is neither.
std::optional<std::vector<std::uint8_t>> trust_selectors(std::string_view words);
/// Parses the trust order of a profile: names only, each at most once. Nothing otherwise.
std::optional<std::vector<std::uint8_t>> trust_order(std::string_view words);

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>

/// Classes of ASCII characters, independent of the locale.
namespace core {

[[nodiscard]] constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
[[nodiscard]] constexpr bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
[[nodiscard]] constexpr bool is_letter_or_digit(char c) {
    return is_letter(c) || is_digit(c);
}
/// Whether the text is non-empty and all digits.
[[nodiscard]] constexpr bool is_all_digits(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, is_digit);
}

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace core {

/// A text up to this many bytes is quoted whole.
inline constexpr std::size_t kQuotedLength = 60;

/// The text up to so many bytes, never through the middle of a UTF-8 sequence.
std::string cut(std::string_view text, std::size_t length);

/// The text in single quotes, on one line and not endless: what messages say was found.
std::string in_quotes(std::string_view text);

}  // namespace core

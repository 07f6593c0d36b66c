// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace core {

/// Texts of up to this many bytes are quoted whole.
inline constexpr std::size_t kQuotedLength = 60;

/// At most `length` bytes of the text, not cut within a UTF-8 sequence.
std::string cut(std::string_view text, std::size_t length);

/// The text in single quotes on one line, cut if long: how messages quote what was found.
std::string in_quotes(std::string_view text);

}  // namespace core

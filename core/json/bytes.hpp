// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace core {

/// How many bytes the UTF-8 sequence at the front has (RFC 3629); 0 where it is none.
std::size_t utf8_length(std::string_view text);
/// Whether all of it is UTF-8 without a NUL.
bool all_text(std::string_view text);

/// Names from kernels and files are bytes, but JSON is UTF-8. A byte outside a UTF-8 sequence
/// becomes the private character U+10FE80 to U+10FEFF whose last eight bits it is; so does each
/// byte of such a character. Lossless.
std::string as_utf8(std::string_view bytes);
/// The bytes that `as_utf8` spelled.
std::string bytes_of(std::string text);

/// The document as text, every text in it as UTF-8; on one line where `indent` is negative.
std::string written(const nlohmann::ordered_json& json, int indent = -1);

/// Takes a text piece by piece.
using TextSink = std::function<void(std::string_view)>;

}  // namespace core

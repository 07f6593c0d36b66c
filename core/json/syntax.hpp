// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/json/tree.hpp"

namespace core {

/// A place in a text that moves forward over JSON tokens and counts lines and columns.
class Cursor {
public:
    Cursor(std::string_view text, SharedText file) : text_(text), file_(std::move(file)) {}

    [[nodiscard]] Place place() const { return {file_, line_, column_}; }
    [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
    /// The byte here, or `ahead` bytes on; NUL behind the end.
    [[nodiscard]] char here(std::size_t ahead = 0) const;
    [[nodiscard]] std::string_view rest() const { return text_.substr(at_); }
    void step(std::size_t bytes = 1);
    /// Over white space and comments.
    void skip_blank();
    /// Over white space, comments, commas and colons, to where the next token starts.
    void skip_to_token();
    /// Over the token that starts here, which the lexer has found good.
    void skip_token();

private:
    std::string_view text_;
    SharedText file_;
    std::size_t at_ = 0;
    unsigned line_ = 1;
    unsigned column_ = 1;
};

/// What the grammar admits behind the last good token.
enum class Expected : std::uint8_t {
    value,
    name_or_close,         ///< behind `{`
    colon,                 ///< behind a name
    comma_or_close_brace,  ///< behind a member's value
    item_or_close,         ///< behind `[`
    comma_or_close_bracket,
    end,  ///< behind the document's value
};

/// How many bytes the UTF-8 sequence at the front has (RFC 3629); 0 where it is none.
std::size_t utf8_length(std::string_view text);

/// What no document may hold anywhere: a byte order mark, a NUL byte, bytes that are not UTF-8.
std::optional<Problem> bad_bytes(std::string_view text, const std::string& file);

/// Says in plain words why the text goes wrong behind the cursor.
Problem syntax_error(Cursor cursor, Expected expected, const std::string& pointer);

}  // namespace core

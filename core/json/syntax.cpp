// SPDX-License-Identifier: Apache-2.0
#include "core/json/syntax.hpp"

#include <algorithm>

#include "core/json/bytes.hpp"
#include "core/model/letters.hpp"

namespace core {
namespace {

constexpr std::string_view kNumberBytes = "+-.0123456789eE";
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

bool is_continuation(char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U;
}
bool begins_word(char c) {
    return is_letter(c) || c == '_';
}

std::string hex(unsigned char byte) {
    constexpr std::string_view digits = "0123456789abcdef";
    return std::string("0x") + digits[byte >> 4U] + digits[byte & 0xfU];
}

/// How much of the text is a number by JSON's grammar (RFC 8259 6); 0 where none starts here.
std::size_t number_length(std::string_view text) {
    std::size_t at = 0;
    const auto digits = [&] {
        const std::size_t start = at;
        while (at < text.size() && is_digit(text[at]))
            ++at;
        return at > start;
    };
    const auto take = [&](std::string_view any) {
        const bool is = at < text.size() && any.find(text[at]) != std::string_view::npos;
        if (is) ++at;
        return is;
    };
    take("-");
    if (!take("0") && !digits()) return 0;
    if (take(".") && !digits()) return 0;
    if (take("eE")) {
        take("+-");
        if (!digits()) return 0;
    }
    return at;
}

std::string_view number_at(const Cursor& cursor) {
    const std::string_view rest = cursor.rest();
    return rest.substr(0, rest.find_first_not_of(kNumberBytes));
}

std::string_view word_at(const Cursor& cursor) {
    const std::string_view rest = cursor.rest();
    std::size_t length = 0;
    while (length < rest.size() && (begins_word(rest[length]) || is_digit(rest[length])))
        ++length;
    return rest.substr(0, length);
}

/// The four hexadecimal digits of `\uXXXX`, or nothing.
std::optional<unsigned> unit_at(std::string_view text) {
    if (text.size() < 6 || !text.starts_with("\\u")) return std::nullopt;
    unsigned unit = 0;
    for (const char c : text.substr(2, 4)) {
        const std::size_t digit = std::string_view("0123456789abcdef")
                                      .find(is_letter(c) ? static_cast<char>(c | 0x20) : c);
        if (digit == std::string_view::npos) return std::nullopt;
        unit = unit * 16 + static_cast<unsigned>(digit);
    }
    return unit;
}

/// Why the escape at the front is none; nothing where it is good, with its length.
std::optional<std::string> bad_escape(std::string_view text, std::size_t& length) {
    length = 2;
    if (text.size() < 2) return std::nullopt;
    if (text[1] != 'u') {
        if (std::string_view("\"\\/bfnrt").find(text[1]) != std::string_view::npos)
            return std::nullopt;
        return "found " + in_quotes(text.substr(0, utf8_length(text.substr(1)) + 1)) +
               R"( in a text, expected one of \" \\ \/ \b \f \n \r \t \u0000)";
    }
    const std::optional<unsigned> unit = unit_at(text);
    if (!unit) return R"(found '\u' in a text, expected four hexadecimal digits behind it)";
    length = 6;
    if (*unit < 0xd800 || *unit > 0xdfff) return std::nullopt;
    const std::optional<unsigned> low = unit_at(text.substr(6));
    length = 12;
    if (*unit < 0xdc00 && low && *low >= 0xdc00 && *low <= 0xdfff) return std::nullopt;
    return "found " + in_quotes(text.substr(0, 6)) + ", half of a surrogate pair, in a text";
}

/// Moves the cursor through the text that starts here; stops where it goes wrong and says why.
std::optional<std::string> bad_text(Cursor& cursor) {
    cursor.step();
    while (!cursor.at_end() && cursor.here() != '"') {
        const auto byte = static_cast<unsigned char>(cursor.here());
        if (byte == '\n' || byte == '\r') return "found a line break in a text, expected '\"'";
        if (byte < 0x20) return "found control character " + hex(byte) + " in a text";
        std::size_t length = 1;
        if (byte == '\\')
            if (auto reason = bad_escape(cursor.rest(), length)) return reason;
        cursor.step(length);
    }
    if (cursor.at_end()) return "found the end of the file in a text, expected '\"'";
    return std::nullopt;
}

struct Sighting {
    std::string found;      ///< what is at the cursor
    bool complete = false;  ///< the whole sentence, nothing to be added
};

/// What stands at the cursor; a text or number that is broken in itself says so.
Sighting read_and_plan(Cursor& cursor) {
    if (cursor.at_end()) return {"the end of the file"};
    const char c = cursor.here();
    if (c == '"') {
        Cursor inside = cursor;
        const std::size_t before = cursor.rest().size();
        if (auto reason = bad_text(inside)) {
            cursor = inside;
            return {*reason, true};
        }
        return {"the text " +
                in_quotes(cursor.rest().substr(1, before - inside.rest().size() - 1))};
    }
    if (is_digit(c) || c == '-' || c == '+' || c == '.') {
        const std::string_view number = number_at(cursor);
        if (number_length(number) == number.size()) return {"the number " + number_text(number)};
        return {"found " + in_quotes(number) + ", which is not a number JSON admits", true};
    }
    if (cursor.rest().starts_with("/*")) return {"found a comment that is not closed", true};
    if (c == '\'') return {"a single quote (a text stands in double quotes)"};
    if (begins_word(c)) return {in_quotes(word_at(cursor))};
    if (static_cast<unsigned char>(c) < 0x20)
        return {"control character " + hex(static_cast<unsigned char>(c))};
    return {in_quotes(cursor.rest().substr(0, utf8_length(cursor.rest())))};
}

bool closes(const Cursor& cursor) {
    return cursor.here() == '}' || cursor.here() == ']';
}

/// Steps over a separator that is as it should be, and says what may follow.
std::string follow(Cursor& cursor, Expected expected, bool& behind_comma) {
    const auto over = [&](char separator) {
        if (cursor.here() != separator) return false;
        cursor.step();
        cursor.skip_blank();
        return true;
    };
    switch (expected) {
        case Expected::value: return "a value";
        case Expected::name_or_close: return "a name in double quotes or '}'";
        case Expected::colon: return over(':') ? "a value" : "':'";
        case Expected::comma_or_close_brace:
            behind_comma = over(',');
            return behind_comma ? "a name in double quotes" : "',' or '}'";
        case Expected::item_or_close: return "a value or ']'";
        case Expected::comma_or_close_bracket:
            behind_comma = over(',');
            return behind_comma ? "a value" : "',' or ']'";
        case Expected::end: break;
    }
    return "the end of the file";
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
    };
    const unsigned lead = byte(0);
    if (lead < 0x80) return 1;
    const std::size_t length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (length == 0 || lead > 0xf4) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xc0U) != 0x80U) return 0;
    // Overlong forms, surrogates and what lies above U+10FFFF.
    if (lead == 0xe0 && byte(1) < 0xa0) return 0;
    if (lead == 0xed && byte(1) > 0x9f) return 0;
    if (lead == 0xf0 && byte(1) < 0x90) return 0;
    if (lead == 0xf4 && byte(1) > 0x8f) return 0;
    return length;
}

char Cursor::here(std::size_t ahead) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
}

void Cursor::step(std::size_t bytes) {
    for (; bytes > 0 && at_ < text_.size(); --bytes, ++at_) {
        if (text_[at_] == '\n') {
            ++line_;
            column_ = 1;
        } else if (!is_continuation(text_[at_])) {
            ++column_;
        }
    }
}

void Cursor::skip_blank() {
    while (!at_end()) {
        if (std::string_view(" \t\r\n").find(here()) != std::string_view::npos) {
            step();
        } else if (rest().starts_with("//")) {
            step(std::min(rest().find('\n'), rest().size()));
        } else if (rest().starts_with("/*") && rest().find("*/", 2) != std::string_view::npos) {
            step(rest().find("*/", 2) + 2);
        } else {
            return;
        }
    }
}

void Cursor::skip_to_token() {
    skip_blank();
    while (here() == ',' || here() == ':') {
        step();
        skip_blank();
    }
}

void Cursor::skip_token() {
    if (here() == '"') {
        step();
        while (!at_end() && here() != '"')
            step(here() == '\\' ? 2 : 1);
        step();
    } else if (begins_word(here())) {
        step(word_at(*this).size());
    } else if (const std::size_t length = number_length(number_at(*this)); length > 0) {
        step(length);
    } else {
        step();
    }
}

std::optional<Problem> bad_bytes(std::string_view text, const std::string& file) {
    Cursor cursor(text, file);
    if (text.starts_with(kByteOrderMark))
        return Problem{cursor.place(), "", "found a byte order mark, expected JSON without one"};
    if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
        return Problem{cursor.place(), "", "found UTF-16, expected UTF-8"};
    if (all_text(text)) return std::nullopt;
    while (!cursor.at_end()) {
        if (cursor.here() == '\0')
            return Problem{cursor.place(), "", "found a NUL byte, expected text"};
        const std::size_t length = utf8_length(cursor.rest());
        if (length == 0)
            return Problem{cursor.place(), "",
                           "found byte " + hex(static_cast<unsigned char>(cursor.here())) +
                               ", expected UTF-8"};
        cursor.step(length);
    }
    return std::nullopt;
}

Problem syntax_error(Cursor cursor, Expected expected, const std::string& pointer) {
    cursor.skip_blank();
    bool behind_comma = false;
    const std::string wanted = follow(cursor, expected, behind_comma);
    const Sighting seen = read_and_plan(cursor);
    Problem problem{cursor.place(), pointer, {}};
    if (seen.complete) {
        problem.text = seen.found;
    } else if (behind_comma && closes(cursor)) {
        problem.text = "found " + seen.found + " behind a comma, expected no comma before it";
    } else if (wanted.starts_with("a value") && seen.found.starts_with("the number")) {
        problem.text = "found " + seen.found + ", which is too large for any number here";
    } else {
        problem.text = "found " + seen.found + ", expected " + wanted;
    }
    return problem;
}

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#include "cli/views/printable.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "cli/views/style.hpp"

namespace cli {
namespace {

/// One character of UTF-8 (RFC 3629), or one byte that begins none.
struct Character {
    std::uint32_t code = 0;
    std::size_t bytes = 1;
    bool valid = false;
};

Character character_at(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(text[i]) & 0xffU; };
    if (byte(0) < 0x80) return {.code = byte(0), .bytes = 1, .valid = true};
    constexpr std::array<std::uint32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
    const std::size_t bytes = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : byte(0) >= 0xc0 ? 2 : 0;
    if (bytes == 0 || byte(0) >= 0xf8 || text.size() < bytes) return {};
    std::uint32_t code = byte(0) & (0x7fU >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xc0U) != 0x80) return {};
        code = code << 6U | (byte(i) & 0x3fU);
    }
    const bool surrogate = code >= 0xd800 && code <= 0xdfff;
    if (code < least.at(bytes) || code > 0x10ffff || surrogate) return {};
    return {.code = code, .bytes = bytes, .valid = true};
}

/// What a terminal does something for (ECMA-48), or what changes the order in which the rest is
/// shown (Unicode's bidirectional marks, embeddings, overrides and isolates), or ends a line
/// (U+2028, U+2029).
bool is_obeyed(std::uint32_t code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x061c || code == 0x200e ||
           code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

std::string escaped(std::string_view prefix, std::uint32_t number, unsigned digits) {
    std::string out(prefix);
    while (digits-- > 0)
        out += std::string_view("0123456789abcdef").at(number >> (4 * digits) & 0xfU);
    return out;
}

/// As it is everywhere: printable ASCII.
bool is_plain(char c) {
    return static_cast<unsigned char>(c) - 0x20U < 0x7fU - 0x20U;
}

/// How many bytes at the beginning the predicate holds for.
template <typename Is>
std::size_t size_of(std::string_view text, const Is& is) {
    return static_cast<std::size_t>(std::ranges::find_if_not(text, is) - text.begin());
}

/// Whether a byte is plain or ends a line: most of what is printed.
constexpr auto kOfPlainLines = [] {
    std::array<bool, 256> out{};
    for (std::size_t byte = 0x20; byte < 0x7f; ++byte)
        out.at(byte) = true;
    out.at('\n') = true;
    return out;
}();

/// What is no printable ASCII, at the beginning of the text: appends it as it can be shown, and
/// gives how many bytes that was. `kept` is what is handed on otherwise, and as what.
template <typename Kept>
std::size_t show_other(std::string_view text, const Kept& kept, std::string& out) {
    if (const Style::Sequence own = kept(text); own.size > 0) {
        out += own.for_terminal;
        return own.size;
    }
    const Character character = character_at(text);
    if (!character.valid)
        out += escaped("\\x", static_cast<unsigned char>(text.front()), 2);
    else if (is_obeyed(character.code))
        out += escaped("\\u", character.code, 4);
    else
        out += text.substr(0, character.bytes);
    return character.bytes;
}

template <typename Kept>
std::string shown(std::string_view text, const Kept& kept) {
    std::string out;
    while (!text.empty()) {
        const std::size_t plain = size_of(text, is_plain);
        out += text.substr(0, plain);
        text.remove_prefix(plain);
        if (!text.empty()) text.remove_prefix(show_other(text, kept, out));
    }
    return out;
}

Style::Sequence end_of_line(std::string_view text) {
    if (text.front() != '\n') return {};
    return {.size = 1, .for_terminal = "\n"};
}

}  // namespace

std::string printable(std::string_view text) {
    return shown(text, end_of_line);
}

std::string on_one_line(std::string_view text) {
    return shown(text, [](std::string_view /*rest*/) { return Style::Sequence{}; });
}

PrintableBuffer::PrintableBuffer(std::streambuf& under, bool colour)
    : under_(under), colour_(colour) {
    if (colour) static_cast<void>(Style::sequence_at({}));  // which makes the mark
}

std::streamsize PrintableBuffer::xsputn(const char* text, std::streamsize size) {
    const auto kept = [this](std::string_view rest) {
        return rest.front() == '\n' || !colour_ ? end_of_line(rest) : Style::sequence_at(rest);
    };
    const auto hand_on = [this](std::string_view piece) {
        const auto whole = static_cast<std::streamsize>(piece.size());
        return under_.sputn(piece.data(), whole) == whole;
    };
    // Most is plain: that is handed on as it lies there, however much it is.
    std::string_view rest(text, static_cast<std::size_t>(size));
    std::string other;
    while (!rest.empty()) {
        const std::size_t plain =
            size_of(rest, [](char c) { return kOfPlainLines[static_cast<unsigned char>(c)]; });
        if (plain > 0 && !hand_on(rest.substr(0, plain))) return 0;
        rest.remove_prefix(plain);
        if (rest.empty()) break;
        other.clear();
        const std::size_t bytes = show_other(rest, kept, other);
        if (!hand_on(other)) return 0;
        rest.remove_prefix(bytes);
    }
    return size;
}

PrintableBuffer::int_type PrintableBuffer::overflow(int_type byte) {
    if (traits_type::eq_int_type(byte, traits_type::eof())) return traits_type::not_eof(byte);
    const char one = traits_type::to_char_type(byte);
    return xsputn(&one, 1) == 1 ? byte : traits_type::eof();
}

}  // namespace cli

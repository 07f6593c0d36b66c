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
/// shown (Unicode's bidirectional embeddings, overrides and isolates), or ends a line (U+2028,
/// U+2029).
bool is_obeyed(std::uint32_t code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

std::string escaped(std::string_view prefix, std::uint32_t number, unsigned digits) {
    std::string out(prefix);
    while (digits-- > 0)
        out += std::string_view("0123456789abcdef").at(number >> (4 * digits) & 0xfU);
    return out;
}

/// How many bytes at the beginning are as they are everywhere: printable ASCII.
std::size_t plain_size(std::string_view text) {
    const auto* const end = std::ranges::find_if(
        text, [](char c) { return static_cast<unsigned char>(c) - 0x20U >= 0x7fU - 0x20U; });
    return static_cast<std::size_t>(end - text.begin());
}

/// Hands on each piece of what the text is as it can be shown; `kept` is what at its beginning is
/// handed on otherwise, and as what.
template <typename Kept>
std::string shown(std::string_view text, const Kept& kept) {
    std::string out;
    while (!text.empty()) {
        std::size_t size = plain_size(text);
        if (size > 0) {
            out += text.substr(0, size);
        } else if (const Style::Sequence own = kept(text); own.size > 0) {
            size = own.size;
            out += own.for_terminal;
        } else {
            const Character character = character_at(text);
            size = character.bytes;
            if (!character.valid)
                out += escaped("\\x", static_cast<unsigned char>(text.front()), 2);
            else if (is_obeyed(character.code))
                out += escaped("\\u", character.code, 4);
            else
                out += text.substr(0, size);
        }
        text.remove_prefix(size);
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
    const std::string out = shown({text, static_cast<std::size_t>(size)}, kept);
    const auto whole = static_cast<std::streamsize>(out.size());
    return under_.sputn(out.data(), whole) == whole ? size : 0;
}

PrintableBuffer::int_type PrintableBuffer::overflow(int_type byte) {
    if (traits_type::eq_int_type(byte, traits_type::eof())) return traits_type::not_eof(byte);
    const char one = traits_type::to_char_type(byte);
    return xsputn(&one, 1) == 1 ? byte : traits_type::eof();
}

}  // namespace cli

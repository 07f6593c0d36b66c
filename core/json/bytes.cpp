// SPDX-License-Identifier: Apache-2.0
#include "core/json/bytes.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace core {
namespace {

/// How a private character starts that stands for a byte; its last two bytes hold the byte, which
/// has its top bit set.
constexpr std::string_view kStart = "\xf4\x8f";
constexpr unsigned char kThird = 0xba;
constexpr std::size_t kLength = 4;

bool is_byte(std::string_view character) {
    return character.starts_with(kStart) && character.size() >= kLength &&
           (static_cast<unsigned char>(character[2]) | 1U) == (kThird | 1U);
}

void put_byte(std::string& out, char byte) {
    const auto bits = static_cast<unsigned char>(byte);
    out += kStart;
    out += static_cast<char>(kThird | (bits >> 6U & 1U));
    out += static_cast<char>(0x80U | (bits & 0x3fU));
}

/// How many bytes at the front stand for themselves; 0 where the first does not.
std::size_t plain_length(std::string_view text) {
    const std::size_t length = utf8_length(text);
    return is_byte(text.substr(0, length)) ? 0 : length;
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

bool all_text(std::string_view text) {
    std::array<char, sizeof(std::uint64_t)> some{};
    constexpr std::uint64_t ones = 0x0101010101010101;
    constexpr std::uint64_t tops = 0x8080808080808080;
    while (!text.empty()) {
        if (text.size() >= some.size()) {
            std::copy_n(text.data(), some.size(), some.data());
            const auto bytes = std::bit_cast<std::uint64_t>(some);
            // No byte with its top bit, and none that is 0.
            if (((bytes | (bytes - ones)) & tops) == 0) {
                text.remove_prefix(some.size());
                continue;
            }
        }
        const std::size_t length = text.front() == '\0' ? 0 : utf8_length(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

std::string as_utf8(std::string_view bytes) {
    std::string out;
    while (!bytes.empty()) {
        const std::size_t length = plain_length(bytes);
        if (length == 0)
            put_byte(out, bytes.front());
        else
            out += bytes.substr(0, length);
        bytes.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return out;
}

std::string bytes_of(std::string text) {
    if (text.find(kStart) == std::string::npos) return text;
    std::string_view utf8 = text;
    std::string out;
    for (std::size_t at = utf8.find(kStart); at != std::string_view::npos; at = utf8.find(kStart)) {
        out += utf8.substr(0, at);
        utf8.remove_prefix(at);
        const bool byte = is_byte(utf8);
        const auto third = byte ? static_cast<unsigned char>(utf8[2]) : 0U;
        if (byte)
            out += static_cast<char>((third & 1U) << 6U | static_cast<unsigned char>(utf8[3]));
        else
            out += kStart;
        utf8.remove_prefix(byte ? kLength : kStart.size());
    }
    return out.append(utf8);
}

}  // namespace core

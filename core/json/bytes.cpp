// SPDX-License-Identifier: Apache-2.0
#include "core/json/bytes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <nlohmann/json.hpp>

#include "core/json/json.hpp"
#include "core/json/syntax.hpp"

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

bool holds_no_byte(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = plain_length(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

bool all_plain(const Json& json) {
    if (json.is_string()) return holds_no_byte(json.get_ref<const std::string&>());
    if (!json.is_structured()) return true;
    for (const auto& item : json.items())
        if ((json.is_object() && !holds_no_byte(item.key())) || !all_plain(item.value()))
            return false;
    return true;
}

Json spelled(const Json& json) {
    if (json.is_string()) return as_utf8(json.get_ref<const std::string&>());
    if (!json.is_structured()) return json;
    Json out = json.is_object() ? Json::object() : Json::array();
    for (const auto& [name, value] : json.items()) {
        if (json.is_object())
            out[as_utf8(name)] = spelled(value);
        else
            out.push_back(spelled(value));
    }
    return out;
}

}  // namespace

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

std::string written(const Json& json, int indent) {
    return all_plain(json) ? json.dump(indent) : spelled(json).dump(indent);
}

}  // namespace core

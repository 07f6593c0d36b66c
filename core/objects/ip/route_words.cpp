// SPDX-License-Identifier: Apache-2.0
#include "core/objects/ip/route_words.hpp"

#include <algorithm>
#include <charconv>

namespace core {
namespace {

template <std::size_t N>
std::string name_of(const std::array<Named, N>& named, std::uint32_t number) {
    const auto found = std::ranges::find(named, number, &Named::second);
    return found == named.end() ? std::to_string(number) : std::string(found->first);
}

template <std::size_t N>
std::uint32_t number_of(const std::array<Named, N>& named, const std::string& word) {
    const auto found = std::ranges::find(named, word, &Named::first);
    if (found != named.end()) return found->second;
    std::uint32_t number = 0;
    std::from_chars(word.data(), word.data() + word.size(), number);
    return number;
}

}  // namespace

std::string table_word(std::uint32_t table) {
    return name_of(kTables, table);
}
std::string scope_word(std::uint8_t scope) {
    return name_of(kScopes, scope);
}
std::string protocol_word(std::uint8_t protocol) {
    return name_of(kProtocols, protocol);
}

std::uint32_t table_number(const std::string& word) {
    return number_of(kTables, word);
}
std::uint8_t scope_number(const std::string& word) {
    return static_cast<std::uint8_t>(number_of(kScopes, word));
}
std::uint8_t protocol_number(const std::string& word) {
    return static_cast<std::uint8_t>(number_of(kProtocols, word));
}

}  // namespace core

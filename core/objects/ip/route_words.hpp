// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace core {

using Named = std::pair<std::string_view, std::uint32_t>;

// include/uapi/linux/rtnetlink.h; the names are iproute2's lib/rt_names.c.
inline constexpr std::array kTables = {Named{"main", 254}, Named{"local", 255},
                                       Named{"default", 253}};
inline constexpr std::array kScopes = {Named{"global", 0}, Named{"site", 200}, Named{"link", 253},
                                       Named{"host", 254}, Named{"nowhere", 255}};
inline constexpr std::array kProtocols = {
    Named{"static", 4},   Named{"kernel", 2}, Named{"boot", 3},   Named{"unspec", 0},
    Named{"redirect", 1}, Named{"ra", 9},     Named{"zebra", 11}, Named{"bird", 12},
    Named{"dhcp", 16},    Named{"bgp", 186},  Named{"ospf", 188}};

template <std::size_t N>
constexpr std::array<std::string_view, N> names(const std::array<Named, N>& named) {
    std::array<std::string_view, N> out{};
    for (std::size_t i = 0; i < N; ++i)
        out[i] = named[i].first;
    return out;
}
inline constexpr auto kTableWords = names(kTables);
inline constexpr auto kScopeWords = names(kScopes);
inline constexpr auto kProtocolWords = names(kProtocols);

/// A table, scope or protocol as iproute2 names it, or its number.
std::string table_word(std::uint32_t table);
std::string scope_word(std::uint8_t scope);
std::string protocol_word(std::uint8_t protocol);

/// The other way round, of what the words' shape admits.
std::uint32_t table_number(const std::string& word);
std::uint8_t scope_number(const std::string& word);
std::uint8_t protocol_number(const std::string& word);

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace core {

/// An IPv4 or IPv6 address in network byte order.
struct Ip {
    bool v6 = false;
    std::array<std::uint8_t, 16> bytes{};  ///< the first 4 for IPv4
    auto operator<=>(const Ip&) const = default;
};

/// An address and the number of its leading bits that count.
struct Prefix {
    Ip ip;
    std::uint8_t length = 0;
    auto operator<=>(const Prefix&) const = default;
};

/// Dotted or RFC 5952 text; nothing where it is not an address.
std::optional<Ip> parse_ip(std::string_view text);
/// `address/length`. Nothing without a length or with one too long. Host bits are kept.
std::optional<Prefix> parse_prefix(std::string_view text);
/// `address/length`, or an address alone for the network of that one address.
std::optional<Prefix> parse_network(std::string_view text);
std::string text(const Ip& ip);
std::string text(const Prefix& prefix);
/// Appends what `text` gives.
void append(std::string& out, const Ip& ip);
void append(std::string& out, const Prefix& prefix);

/// The prefix with its host bits cleared.
Prefix network(const Prefix& prefix);
bool contains(const Prefix& prefix, const Ip& ip);
/// The address after the last one of the prefix; nothing after the very last address.
std::optional<Ip> first_behind(const Prefix& prefix);
bool is_link_local(const Ip& ip);

/// The address as IPv6: an IPv4 address becomes an IPv4-mapped one (RFC 4291, 2.5.5.2), as in GIDs.
Ip mapped(const Ip& ip);
/// The IPv4 address in an IPv4-mapped IPv6 address; nothing for any other.
std::optional<Ip> mapped_in(const Ip& ip);

}  // namespace core

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

/// An address and how many leading bits count.
struct Prefix {
    Ip ip;
    std::uint8_t length = 0;
    auto operator<=>(const Prefix&) const = default;
};

/// Dotted or RFC 5952 text; nothing where it is not an address.
std::optional<Ip> parse_ip(std::string_view text);
/// `address/length`; nothing without a length or with one too long. Host bits are kept.
std::optional<Prefix> parse_prefix(std::string_view text);
/// `address/length`, or an address alone, which is the network of this one address.
std::optional<Prefix> parse_network(std::string_view text);
std::string text(const Ip& ip);
std::string text(const Prefix& prefix);
/// Appends the address, or the prefix, to `out` as `text` spells it.
void append(std::string& out, const Ip& ip);
void append(std::string& out, const Prefix& prefix);

/// The prefix with its host bits cleared.
Prefix network(const Prefix& prefix);
bool contains(const Prefix& prefix, const Ip& ip);
/// The address that follows the last one of the prefix; nothing behind the last one there is.
std::optional<Ip> first_behind(const Prefix& prefix);
bool is_link_local(const Ip& ip);

/// As IPv6: an IPv4 address is one mapped into it (RFC 4291, 2.5.5.2), as GIDs have it.
Ip mapped(const Ip& ip);
/// The IPv4 address that is mapped into the IPv6 address; nothing where none is.
std::optional<Ip> mapped_in(const Ip& ip);

}  // namespace core

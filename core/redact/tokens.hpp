// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/redact/new_addresses.hpp"

namespace core {

/// Hexadecimal digits of a MAC address, and of a GUID or EUI-64.
inline constexpr std::size_t kMacDigits = 12;
inline constexpr std::size_t kGuidDigits = 16;

/// What stands in a text and tells whose it is.
struct Token {
    enum class Kind : std::uint8_t {
        ip,      ///< `10.0.0.1`, `fe80::1`, a GID
        prefix,  ///< the same with a length
        octets,  ///< an IPv4 address with other signs, or inside a word: `ip-10-0-0-1`
        groups,  ///< an IPv6 address with dashes: `fd00-1--7`
        hex_ip,  ///< an address of 8 or 32 digits: `0a000001`
        number,  ///< hexadecimal of 12 digits (MAC), 16 (GUID, EUI-64) or 40 (IPoIB)
        tail,    ///< the last three octets of a known MAC: `9f:00:01`
        serial,  ///< what follows "serial number" and the like, and known ones
        file,    ///< a user's name, or what he called a file
        name,    ///< a known name of a port or RDMA device
        host,    ///< a known name of a host or domain
    };
    Kind kind{};
    std::string_view text{};
};

/// Words that are looked for at a place of a text, all in one walk.
class WordTree {
public:
    /// Folded: capitals are small letters, and dots and underscores are dashes.
    explicit WordTree(bool folded = false) : folded_(folded) {}

    void add(std::string_view word);
    /// The size of the longest word that `text` begins with and for which `fits(size)` holds; 0
    /// where there is none. `steps` grows by the characters that were looked at.
    template <typename Fits>
    [[nodiscard]] std::size_t longest(std::string_view text, std::uint64_t& steps,
                                      const Fits& fits) const {
        std::size_t found = 0;
        std::uint32_t node = 0;
        for (std::size_t size = 0; size < text.size(); ++size) {
            ++steps;
            const auto next = next_.find(key(node, text[size]));
            if (next == next_.end()) break;
            node = next->second;
            if (ends_.contains(node) && fits(size + 1)) found = size + 1;
        }
        return found;
    }

private:
    [[nodiscard]] std::uint64_t key(std::uint32_t node, char sign) const;

    bool folded_;
    std::unordered_map<std::uint64_t, std::uint32_t> next_{};  ///< by node and sign
    std::unordered_map<std::uint32_t, bool> ends_{};           ///< nodes at which a word ends
};

/// Replacements of hexadecimal numbers.
using Numbers64 = std::map<std::uint64_t, std::uint64_t>;

/// What is known to tell whose a text is, however it is spelled there.
struct Known {
    WordTree names{};           ///< of ports and RDMA devices: whole words, as they are written
    WordTree hosts{true};       ///< of hosts and domains, inside words too
    WordTree host_words{true};  ///< those that may be any word: whole words
    WordTree serials{true};
    Numbers64 macs{};
    Numbers64 guids{};  ///< GUIDs, EUI-64, serial numbers of PCI devices
    Numbers64 tails{};  ///< the last three octets of `macs`
    NewAddresses addresses{};
};

/// The known MAC address of which the 64 bits are made: its halves with two octets between, the
/// bit of the first octet that says who assigned it perhaps turned (RFC 4291 A). Nothing where
/// they are made of none.
const Numbers64::value_type* mac_in(const Known& known, std::uint64_t guid);

/// What kind of text is searched.
enum class Searched : std::uint8_t {
    line,     ///< for all that tells
    version,  ///< for what no version can be: 1.2.3.4 is no address in it
};

/// The text with each token replaced by `other(token)`. `steps` grows by what was looked at.
std::string with_tokens(std::string_view text, const Known& known, Searched as,
                        std::uint64_t& steps,
                        const std::function<std::string(const Token&)>& other);

/// The value of a text of hexadecimal digits, and whatever stands between them.
std::uint64_t hex_value(std::string_view digits);
/// The digits in the place of those of `old`, whose other signs and capitals stay.
std::string respelled(std::string_view old, std::string_view digits);
/// Capitals as small letters, dots and underscores as dashes.
char folded(char sign);

}  // namespace core

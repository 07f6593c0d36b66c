// SPDX-License-Identifier: Apache-2.0
#include "core/model/ip.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "core/model/letters.hpp"

namespace core {

namespace {

/// Four numbers as inet_pton takes them: none with a digit too many. A host has thousands of them.
std::optional<Ip> parse_v4(std::string_view text) {
    constexpr unsigned most = 255;
    Ip ip;
    std::size_t at = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        if (i > 0 && (at == text.size() || text[at++] != '.')) return std::nullopt;
        const std::size_t start = at;
        unsigned number = 0;
        for (; at < text.size() && is_digit(text[at]); ++at) {
            number = number * 10 + static_cast<unsigned>(text[at] - '0');
            if (number > most || (at > start && text[start] == '0')) return std::nullopt;
        }
        if (at == start) return std::nullopt;
        ip.bytes.at(i) = static_cast<std::uint8_t>(number);
    }
    return at == text.size() ? std::optional(ip) : std::nullopt;
}

}  // namespace

std::optional<Ip> parse_ip(std::string_view text) {
    if (auto ip = parse_v4(text)) return ip;
    const std::string terminated(text);
    if (terminated.find('\0') != std::string::npos) return std::nullopt;
    Ip ip{.v6 = true};
    if (inet_pton(AF_INET6, terminated.c_str(), ip.bytes.data()) == 1) return ip;
    return std::nullopt;
}

std::optional<Prefix> parse_prefix(std::string_view text) {
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) return std::nullopt;
    const std::optional<Ip> ip = parse_ip(text.substr(0, slash));
    const std::string_view digits = text.substr(slash + 1);
    unsigned length = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), length);
    if (!ip || error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    if (length > (ip->v6 ? 128U : 32U)) return std::nullopt;
    return Prefix{.ip = *ip, .length = static_cast<std::uint8_t>(length)};
}

std::optional<Prefix> parse_network(std::string_view text) {
    if (text.find('/') != std::string_view::npos) return parse_prefix(text);
    const std::optional<Ip> ip = parse_ip(text);
    if (!ip) return std::nullopt;
    return Prefix{.ip = *ip, .length = static_cast<std::uint8_t>(ip->v6 ? 128 : 32)};
}

namespace {

using Groups = std::array<unsigned, 8>;

/// Some groups in a row.
struct Run {
    std::size_t start = 0;
    std::size_t length = 0;
};

/// The first of the longest runs of groups that are 0.
Run longest_zeros(const Groups& groups) {
    Run longest;
    Run run;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        run = groups.at(i) != 0 ? Run{.start = i + 1} : Run{run.start, run.length + 1};
        if (run.length > longest.length) longest = run;
    }
    return longest;
}

void append_number(std::string& out, unsigned number) {
    std::array<char, 4> digits{};
    out.append(digits.data(),
               std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
}

void append_v4(std::string& out, const Ip& ip) {
    std::array<char, 15> text{};
    char* const last = text.data() + text.size();
    char* end = std::to_chars(text.data(), last, ip.bytes.front()).ptr;
    for (std::size_t i = 1; i < 4; ++i) {
        *end++ = '.';
        end = std::to_chars(end, last, ip.bytes.at(i)).ptr;
    }
    out.append(text.data(), end);
}

/// RFC 5952, section 4.
std::string text_of_v6(const Groups& groups) {
    const Run zeros = longest_zeros(groups);
    std::string out;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (zeros.length > 1 && i == zeros.start) {
            out += "::";
            i += zeros.length - 1;
            continue;
        }
        if (!out.empty() && out.back() != ':') out += ':';
        std::array<char, 4> digits{};
        const auto [end, error] =
            std::to_chars(digits.data(), digits.data() + digits.size(), groups.at(i), 16);
        out.append(digits.data(), end);
    }
    return out;
}

}  // namespace

/// Addresses are spelled here: inet_ntop goes through sprintf, and a plan names every route often.
/// It knows which of those that start with zeros hold an IPv4 address.
void append(std::string& out, const Ip& ip) {
    if (!ip.v6) return append_v4(out, ip);
    Groups groups{};
    for (std::size_t i = 0; i < groups.size(); ++i)
        groups.at(i) = static_cast<unsigned>(ip.bytes.at(2 * i)) << 8U | ip.bytes.at(2 * i + 1);
    if (std::any_of(groups.begin(), groups.begin() + 5, [](unsigned group) { return group != 0; }))
        return void(out += text_of_v6(groups));
    std::array<char, INET6_ADDRSTRLEN> buffer{};
    inet_ntop(AF_INET6, ip.bytes.data(), buffer.data(), buffer.size());
    out += buffer.data();
}

void append(std::string& out, const Prefix& prefix) {
    append(out, prefix.ip);
    out += '/';
    append_number(out, prefix.length);
}

std::string text(const Ip& ip) {
    std::string out;
    append(out, ip);
    return out;
}

std::string text(const Prefix& prefix) {
    std::string out;
    append(out, prefix);
    return out;
}

Prefix network(const Prefix& prefix) {
    Prefix out = prefix;
    for (std::size_t i = 0; i < out.ip.bytes.size(); ++i) {
        const std::size_t first_bit = i * 8;
        if (first_bit >= prefix.length) {
            out.ip.bytes[i] = 0;
        } else if (first_bit + 8 > prefix.length) {
            const auto keep = static_cast<unsigned>(prefix.length - first_bit);
            out.ip.bytes[i] = static_cast<std::uint8_t>(out.ip.bytes[i] & (0xff00U >> keep));
        }
    }
    return out;
}

bool contains(const Prefix& prefix, const Ip& ip) {
    // Asked for each address beside each other one: no networks are made of them.
    const auto& of_prefix = prefix.ip.bytes;
    const std::size_t whole = std::min<std::size_t>(prefix.length / 8U, of_prefix.size());
    if (prefix.ip.v6 != ip.v6 ||
        !std::equal(of_prefix.begin(), of_prefix.begin() + whole, ip.bytes.begin()))
        return false;
    const unsigned rest = prefix.length % 8U;
    if (rest == 0 || whole == of_prefix.size()) return true;
    const unsigned differ = unsigned{of_prefix.at(whole)} ^ ip.bytes.at(whole);
    return (differ & (0xff00U >> rest) & 0xffU) == 0;
}

std::optional<Ip> first_behind(const Prefix& prefix) {
    Ip out = network(prefix).ip;
    for (std::size_t bit = prefix.length; bit > 0; --bit) {
        std::uint8_t& byte = out.bytes.at((bit - 1) / 8);
        const unsigned one = 1U << (7U - (bit - 1) % 8U);
        byte = static_cast<std::uint8_t>(byte ^ one);
        if ((byte & one) != 0) return out;
    }
    return std::nullopt;
}

bool is_link_local(const Ip& ip) {
    if (ip.v6) return ip.bytes[0] == 0xfe && (ip.bytes[1] & 0xc0U) == 0x80;
    return ip.bytes[0] == 169 && ip.bytes[1] == 254;
}

Ip mapped(const Ip& ip) {
    if (ip.v6) return ip;
    Ip out = {.v6 = true};
    out.bytes[10] = out.bytes[11] = 0xff;
    std::copy_n(ip.bytes.begin(), 4, out.bytes.begin() + 12);
    return out;
}

std::optional<Ip> mapped_in(const Ip& ip) {
    if (!ip.v6) return std::nullopt;
    Ip out;
    std::copy_n(ip.bytes.begin() + 12, 4, out.bytes.begin());
    return mapped(out) == ip ? std::optional(out) : std::nullopt;
}

}  // namespace core

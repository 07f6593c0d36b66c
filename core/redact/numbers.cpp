// SPDX-License-Identifier: Apache-2.0
#include "core/redact/numbers.hpp"

#include <algorithm>

namespace core {
std::array<std::uint8_t, 6> bytes_of_mac(std::string_view mac) {
    std::array<std::uint8_t, 6> out{};
    for (std::size_t i = 0; i < out.size(); ++i)
        out.at(i) =
            static_cast<std::uint8_t>(std::stoul(std::string(mac.substr(3 * i, 2)), nullptr, 16));
    return out;
}

void put_eui64(Ip& ip, const std::array<std::uint8_t, 6>& mac) {
    constexpr std::uint8_t universal = 2;
    ip.bytes[8] = static_cast<std::uint8_t>(mac[0] ^ universal);
    ip.bytes[9] = mac[1];
    ip.bytes[10] = mac[2];
    ip.bytes[11] = 0xff;
    ip.bytes[12] = 0xfe;
    ip.bytes[13] = mac[3];
    ip.bytes[14] = mac[4];
    ip.bytes[15] = mac[5];
}

std::string hex(std::uint64_t value, std::size_t digits) {
    std::string out;
    for (std::size_t i = digits; i > 0; --i)
        out += "0123456789abcdef"[(value >> (4 * (i - 1))) & 0xfU];
    return out;
}

std::string other_mac(std::string_view mac, Random& random) {
    constexpr std::uint64_t kept = 3;
    std::array<std::uint8_t, 6> bytes = bytes_of_mac(mac);
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        std::uint64_t byte = random() & 0xffU;
        if (i == 0) byte = (byte & ~kept) | (bytes[0] & kept);
        out += (i == 0 ? "" : ":") + hex(byte, 2);
    }
    return out;
}

bool is_nobodys(std::string_view number) {
    return std::ranges::all_of(number, [](char c) { return c == '0' || c == ':'; }) ||
           number.starts_with("01:00:5e:") || number.starts_with("33:33:") ||
           std::ranges::all_of(number, [](char c) { return c == 'f' || c == ':'; });
}

std::string as_written(std::string_view old, const Ip& ip) {
    constexpr std::size_t full = 39;
    if (!ip.v6 || old.size() != full || old.find("::") != std::string_view::npos) return text(ip);
    std::string out;
    for (std::size_t i = 0; i < ip.bytes.size(); i += 2)
        out += (i == 0 ? "" : ":") + hex(ip.bytes.at(i), 2) + hex(ip.bytes.at(i + 1), 2);
    return out;
}

}  // namespace core

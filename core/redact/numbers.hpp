// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/redact/new_addresses.hpp"

namespace core {

/// The bytes of a hardware address that is spelled as six groups of two digits.
std::array<std::uint8_t, 6> bytes_of_mac(std::string_view mac);
/// Another hardware address of the same kind: group and local bits stay.
std::string other_mac(std::string_view mac, Random& random);
/// The low half of an address that is made of a hardware address (RFC 4291 A).
void put_eui64(Ip& ip, const std::array<std::uint8_t, 6>& mac);
/// So many digits in small letters.
std::string hex(std::uint64_t value, std::size_t digits);
/// A number that says nothing: all zeros, all ones, or made of a multicast address.
bool is_nobodys(std::string_view number);
/// The address as the old one was written: in full as a GID is, or short.
std::string as_written(std::string_view old, const Ip& ip);

}  // namespace core

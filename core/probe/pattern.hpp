// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace core::probe {

/// Bytes that differ from place to place, from page to page and from seed to seed, so that a packet
/// that is lost, doubled, moved or of an earlier message is seen.
void fill_pattern(std::span<std::uint8_t> bytes, std::uint32_t seed);

/// The first byte that is not of that pattern; nothing where all are.
std::optional<std::size_t> first_wrong(std::span<const std::uint8_t> bytes, std::uint32_t seed);

/// The index of the first byte that deviates from the pattern, whose position `place` the bytes
/// start at; nothing where all match.
std::optional<std::size_t> first_wrong_from(std::span<const std::uint8_t> bytes, std::size_t place,
                                            std::uint32_t seed);

}  // namespace core::probe

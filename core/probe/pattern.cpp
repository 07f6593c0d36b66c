// SPDX-License-Identifier: Apache-2.0
#include "core/probe/pattern.hpp"

namespace core::probe {
namespace {

/// Multiplicative hashing: the upper bits depend on all of the place and the seed.
std::uint8_t byte_at(std::size_t place, std::uint32_t seed) {
    const std::uint64_t mixed = (place + 1) * 0x9E3779B97F4A7C15U ^ (seed * 0xD1B54A32D192ED03U);
    return static_cast<std::uint8_t>((mixed * 0x2545F4914F6CDD1DU) >> 56U);
}

}  // namespace

void fill_pattern(std::span<std::uint8_t> bytes, std::uint32_t seed) {
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = byte_at(i, seed);
}

std::optional<std::size_t> first_wrong(std::span<const std::uint8_t> bytes, std::uint32_t seed) {
    return first_wrong_from(bytes, 0, seed);
}

std::optional<std::size_t> first_wrong_from(std::span<const std::uint8_t> bytes, std::size_t place,
                                            std::uint32_t seed) {
    for (std::size_t i = 0; i < bytes.size(); ++i)
        if (bytes[i] != byte_at(place + i, seed)) return i;
    return std::nullopt;
}

}  // namespace core::probe

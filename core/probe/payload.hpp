// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
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

/// What a request and its reply begin with: the rest is zero.
struct CallHead {
    std::uint64_t number = 0;  ///< from 0 on, one after the other
    std::uint64_t size = 0;    ///< of the data
    bool writes = false;
    bool reply = false;
    bool operator==(const CallHead&) const = default;
};
inline constexpr std::size_t kCallBytes = 64;

/// As it travels, most significant byte first.
std::array<std::uint8_t, kCallBytes> bytes_of(const CallHead& head);
/// Nothing where the bytes are none.
std::optional<CallHead> head_in(std::span<const std::uint8_t> bytes);
/// Throws Error (failed) unless the bytes are that head: of what a peer says of sizes and numbers
/// nothing is believed.
void expect_head(std::span<const std::uint8_t> bytes, const CallHead& expected);

/// Data of a call: a pattern that is made once, with the number of the call at both ends.
void fill_data(std::span<std::uint8_t> data);
void stamp(std::span<std::uint8_t> data, std::uint64_t number);
/// Throws Error (failed) where it is not the data of the call with that number: by both ends, and
/// by all of it where it is `checked`.
void expect_data(std::span<const std::uint8_t> data, std::uint64_t number, bool checked);

/// Where things lie in one half of a buffer, in bytes from its beginning: first the data of each of
/// the `depth` calls under way, `size` rounded up to 64 bytes, then the head of each; or each head
/// and its data `together`. A call has the place of its number modulo `depth`.
struct CallRoom {
    std::uint64_t size = 0;
    unsigned depth = 1;
    bool together = false;
    [[nodiscard]] std::uint64_t data_at(std::uint64_t number) const;
    [[nodiscard]] std::uint64_t head_at(std::uint64_t number) const;
    [[nodiscard]] std::uint64_t bytes() const;
};

}  // namespace core::probe

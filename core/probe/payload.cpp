// SPDX-License-Identifier: Apache-2.0
#include "core/probe/payload.hpp"

#include <algorithm>
#include <string>

#include "core/error.hpp"

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

namespace {

constexpr std::array<std::uint8_t, 4> kCallMark = {'r', 'p', 'c', 1};
constexpr std::size_t kFlagsAt = 4;
constexpr std::size_t kNumberAt = 8;
constexpr std::size_t kSizeAt = 16;
constexpr std::size_t kStampBytes = 8;
constexpr std::uint8_t kWrites = 1;
constexpr std::uint8_t kReply = 2;

void put(std::span<std::uint8_t> bytes, std::uint64_t number) {
    for (std::size_t i = bytes.size(); i > 0; --i, number >>= 8U)
        bytes[i - 1] = static_cast<std::uint8_t>(number);
}

std::uint64_t taken(std::span<const std::uint8_t> bytes) {
    std::uint64_t out = 0;
    for (const std::uint8_t byte : bytes)
        out = out << 8U | byte;
    return out;
}

/// Where the number stands: at both ends, at the first alone where there is no room for two.
std::span<const std::uint8_t> last_stamp(std::span<const std::uint8_t> data) {
    return data.size() < 2 * kStampBytes ? data.first(0) : data.last(kStampBytes);
}

bool has_number(std::span<const std::uint8_t> place, std::uint64_t number) {
    std::array<std::uint8_t, kStampBytes> expected{};
    put(std::span(expected).first(place.size()), number);
    return std::ranges::equal(place, std::span(expected).first(place.size()));
}

std::uint64_t rounded(std::uint64_t size) {
    return (size + kCallBytes - 1) / kCallBytes * kCallBytes;
}

Error other_data(std::uint64_t number) {
    return {Status::failed,
            "the data of call " + std::to_string(number) + " are not those that were sent"};
}

}  // namespace

std::array<std::uint8_t, kCallBytes> bytes_of(const CallHead& head) {
    std::array<std::uint8_t, kCallBytes> out{};
    std::ranges::copy(kCallMark, out.begin());
    out[kFlagsAt] =
        static_cast<std::uint8_t>((head.writes ? kWrites : 0) | (head.reply ? kReply : 0));
    put(std::span(out).subspan(kNumberAt, kStampBytes), head.number);
    put(std::span(out).subspan(kSizeAt, kStampBytes), head.size);
    return out;
}

std::optional<CallHead> head_in(std::span<const std::uint8_t> bytes) {
    if (bytes.size() != kCallBytes) return std::nullopt;
    const CallHead out{.number = taken(bytes.subspan(kNumberAt, kStampBytes)),
                       .size = taken(bytes.subspan(kSizeAt, kStampBytes)),
                       .writes = (bytes[kFlagsAt] & kWrites) != 0,
                       .reply = (bytes[kFlagsAt] & kReply) != 0};
    if (!std::ranges::equal(bytes_of(out), bytes)) return std::nullopt;
    return out;
}

void expect_head(std::span<const std::uint8_t> bytes, const CallHead& expected) {
    if (head_in(bytes) == expected) return;
    throw Error(Status::failed, std::string("what came is not the ") +
                                    (expected.reply ? "reply" : "request") + " of call " +
                                    std::to_string(expected.number));
}

void fill_data(std::span<std::uint8_t> data) {
    fill_pattern(data, 1);
}

void stamp(std::span<std::uint8_t> data, std::uint64_t number) {
    put(data.first(std::min(kStampBytes, data.size())), number);
    if (data.size() >= 2 * kStampBytes) put(data.last(kStampBytes), number);
}

void expect_data(std::span<const std::uint8_t> data, std::uint64_t number, bool checked) {
    const auto first = data.first(std::min(kStampBytes, data.size()));
    if (!has_number(first, number) || !has_number(last_stamp(data), number))
        throw other_data(number);
    if (!checked) return;
    const std::size_t ends = first.size() + last_stamp(data).size();
    const auto wrong =
        first_wrong_from(data.subspan(first.size(), data.size() - ends), first.size(), 1);
    if (wrong) throw other_data(number);
}

std::uint64_t CallRoom::data_at(std::uint64_t number) const {
    return together ? head_at(number) + kCallBytes : number % depth * rounded(size);
}

std::uint64_t CallRoom::head_at(std::uint64_t number) const {
    return together ? number % depth * (kCallBytes + rounded(size))
                    : depth * rounded(size) + number % depth * kCallBytes;
}

std::uint64_t CallRoom::bytes() const {
    return depth * (kCallBytes + rounded(size));
}

}  // namespace core::probe

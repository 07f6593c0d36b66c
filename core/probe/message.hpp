// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace core::probe {

/// One message of the two sides of a probe: what it is, with numbers and words by name.
struct Message {
    std::string kind{};
    std::map<std::string, std::uint64_t, std::less<>> numbers{};
    std::map<std::string, std::string, std::less<>> words{};
    bool operator==(const Message&) const = default;
};

/// As it travels: a JSON object on one line, `{"kind":"open","depth":1}`.
std::string bytes_of(const Message& message);

/// Parses a peer's message. Throws Error (failed) for another form, values other than whole numbers
/// and strings, and more than 160 values.
Message parse_message(std::string_view bytes);

/// At most 160 bytes of what a peer said that nobody knows yet, on one line: control characters are
/// question marks.
std::string short_line(std::string_view text);

/// A message on the stream: its length in four bytes, most significant first, the 32 bytes of its
/// authentication code, and its bytes.
struct Frame {
    std::string code{};
    std::string bytes{};
};
inline constexpr std::size_t kCodeBytes = 32;
/// The bytes of a frame. Throws Error (failed) where a message is longer than 64 KiB.
std::string bytes_of(const Frame& frame);
/// Takes the first frame from `arrived`; nothing where it is incomplete. Throws Error (failed) as
/// soon as the length announced is too large: nothing is awaited or kept for it.
std::optional<Frame> take_frame(std::string& arrived);

/// A number of a message. Throws Error (failed) where it is not there, or out of the range, both
/// ends included: what a peer says of sizes is held against what this side knows.
std::uint64_t number_in(const Message& message, std::string_view name, std::uint64_t low,
                        std::uint64_t high);
/// A text of a message. Throws Error (failed) where it is not there.
const std::string& word_in(const Message& message, std::string_view name);

}  // namespace core::probe

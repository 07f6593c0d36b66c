// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
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

/// Reads what a peer sent. Throws Error (failed) where it is no such object: another form, values
/// that are neither whole numbers nor texts, more than 64 of them.
Message parse_message(std::string_view bytes);

/// A number of a message. Throws Error (failed) where it is not there, or out of the range, both
/// ends included: what a peer says of sizes is held against what this side knows.
std::uint64_t number_in(const Message& message, std::string_view name, std::uint64_t low,
                        std::uint64_t high);
/// A text of a message. Throws Error (failed) where it is not there.
const std::string& word_in(const Message& message, std::string_view name);

}  // namespace core::probe

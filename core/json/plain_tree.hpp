// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "core/json/tree.hpp"

namespace core {

inline constexpr std::size_t kMaxDepth = 64;

inline constexpr std::size_t kLeastRoom = std::size_t{24} << 20U;

/// The memory that a tree of the text may take. What rocectl writes itself takes 4 a byte, and
/// without blanks 7 of routes and 9 of ports; a list of nothing but digits would take 36. Ten
/// megabytes take 120 at most, the text and what it is read into among them.
inline std::size_t room_for(std::string_view text, Room room) {
    if (room == Room::any) return std::numeric_limits<std::size_t>::max() / 2;
    constexpr std::size_t small = 10'000'000;
    constexpr std::size_t beyond = 10;
    const std::size_t of_small = std::min(text.size(), small);
    return kLeastRoom + of_small * 13 / 2 + beyond * (text.size() - of_small);
}
/// Whether a list of so many bytes may be taken from the pile of its values, which are there beside
/// it until it is whole.
inline bool may_be_taken(std::size_t bytes, std::size_t room_left) {
    return bytes <= room_left + kLeastRoom;
}

/// The tree of a document that has no fault and no comment, as snapshots have none; nothing of any
/// other, of which `reported_tree` says what is wrong. The text is UTF-8 without a NUL. It takes a
/// fifth of the time: of a fleet thousands of snapshots are read.
std::optional<Node> plain_tree(std::string_view text, const std::string& file,
                               Room room = Room::by_length);

/// The tree of any such text, read by nlohmann's parser, and its problems.
Node reported_tree(std::string_view text, const std::string& file, Problems& problems,
                   Room room = Room::by_length);

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace core::probe {

struct Trial;

/// Who posts the messages of a bandwidth: the side that asks, its peer, or both at the same time.
/// The payload of sends and writes goes away from who posts, that of reads comes to it.
enum class Direction : std::uint8_t { out, in, both };
inline constexpr Direction kDirections[] = {Direction::out, Direction::in, Direction::both};
std::string_view name_of(Direction direction);
/// Nothing where none has the name.
std::optional<Direction> find_direction(std::string_view name);

/// What a person should know of the bandwidths one way, the other and together, one sentence a
/// line: that one way carries much less than the other, or the two together less than they do in
/// turn.
std::string direction_words(const std::vector<Trial>& trials);

}  // namespace core::probe

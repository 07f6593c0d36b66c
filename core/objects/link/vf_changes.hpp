// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "core/objects/rows.hpp"

// What a change of virtual functions is: whether it is taken, what comes of it, and what an
// operator would type.

namespace core::vf {

inline constexpr std::array<std::string_view, 3> kStates = {"auto", "enable", "disable"};
inline constexpr std::array<std::string_view, 2> kProtocols = {"802.1Q", "802.1ad"};

/// What one of its members holds, as the value of a setting.
template <typename Held>
Value value_of(const Held& held) {
    if constexpr (std::is_same_v<Held, std::string> || std::is_same_v<Held, bool>)
        return held;
    else
        return std::uint64_t{held};
}

Reason refuses(const Driver& driver, const Port& now, const Port& then);
Played play(const Driver& driver, State& state, Port& now, const Port& then);
Commands spell(const Driver& driver, const Port& now, const Port& then);
Reason remarks(const Driver& driver, const Host& host, const Port& now, const Port& then);

}  // namespace core::vf

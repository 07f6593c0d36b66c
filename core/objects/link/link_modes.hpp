// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/objects/link/private_flags.hpp"

namespace core {

struct Driver;

/// How the port comes to a speed with the other end (LINKMODES of net/ethtool/linkmodes.c).
struct LinkModes {
    bool autoneg = false;
    /// Forced, or where the port negotiates, what all modes have in common that it offers.
    std::optional<std::uint32_t> speed{};  ///< Mb/s
    std::optional<std::uint32_t> lanes{};
    std::string duplex{};         ///< full or half; empty: none
    Flags offered{};              ///< every link mode of the port, and whether it offers it
    std::set<std::string> fec{};  ///< that the port has, as words of link.fec; empty: not told
    bool can_negotiate = false;
    bool operator==(const LinkModes&) const = default;
};

}  // namespace core

namespace core::link_modes {

/// What to tell the port one after the other: while it forces a speed, what it offers cannot be
/// set, so another offer goes first.
std::vector<LinkModes> edits(const Driver& driver, const LinkModes& now, const LinkModes& then);

}  // namespace core::link_modes

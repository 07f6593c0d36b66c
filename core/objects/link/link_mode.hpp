// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "core/model/state.hpp"

namespace core {

/// What the name of a link mode says: 100000baseCR4/Full is 100000 Mb/s over four lanes
/// (link_mode_names and link_mode_params in net/ethtool/common.c).
struct LinkMode {
    std::uint32_t speed = 0;  ///< Mb/s
    std::uint32_t lanes = 1;
    bool full = true;
    bool operator==(const LinkMode&) const = default;
};

/// Nothing where the name is of something else (Autoneg, Pause, FIBRE, RS).
std::optional<LinkMode> link_mode(std::string_view name);

/// What all modes have in common that are offered; nothing where they differ, or none is.
struct CommonMode {
    std::optional<std::uint32_t> speed{};
    std::optional<std::uint32_t> lanes{};
    std::string duplex{};
    bool operator==(const CommonMode&) const = default;
};
CommonMode common_mode(const Flags& offered);

/// Each mode, and whether it agrees with the speed, lanes and duplex that are stated.
Flags agreeing_modes(const LinkModes& stated);

/// What to offer to get from one to the other: what is named; else what is offered now, where it
/// has what is stated in common; else every mode that agrees with what is stated, as the kernel
/// does (ethnl_auto_linkmodes in net/ethtool/linkmodes.c).
Flags modes_to_offer(const LinkModes& now, const LinkModes& then);

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace core {

/// What the device knows of its link beside whether there is one.
struct LinkState {
    std::string reason{};                   ///< why there is none; empty where it does not say
    std::string detail{};                   ///< and more closely
    std::optional<std::uint32_t> losses{};  ///< how often the device itself saw it go
    bool operator==(const LinkState&) const = default;
};

}  // namespace core

namespace core::link_state {

/// The words for an ETHTOOL_LINK_EXT_STATE_* and, where there are any, for its substate
/// (include/uapi/linux/ethtool.h).
std::string reason_word(unsigned state);
std::string detail_word(unsigned state, unsigned substate);

}  // namespace core::link_state

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "core/model/priority.hpp"

namespace core {

/// What the other end of the link advertises of its own DCB settings by LLDP, as far as the driver
/// hands that on (DCB_ATTR_IEEE_PEER_* and DCB_ATTR_CEE_PEER_*, net/dcb/dcbnl.c).
struct Peer {
    std::string version{};              ///< of DCBX that it speaks: `ieee`, or the older `cee`
    std::optional<std::uint8_t> pfc{};  ///< bit n is priority n
    std::optional<PerPriority<std::uint8_t>> traffic_class{};
    std::optional<PerPriority<std::uint8_t>> bandwidth{};
    std::set<std::string> app{};  ///< `dscp 26: 3`
    bool operator==(const Peer&) const = default;
};

}  // namespace core

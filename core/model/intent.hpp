// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/model/origin.hpp"

namespace core {

/// The packet fields that a port may take the priority from, as `roce.trust` spells them.
inline constexpr std::array<std::string_view, 2> kTrusts = {"dscp", "pcp"};

/// What `roce` of a profile states: how RoCE uses the port. derive() computes all settings from it.
struct Intent {
    struct Part {
        std::uint64_t value = 0;
        Origin origin;  ///< of the key, or of `roce` where the key is not stated
    };
    struct Cnp {
        Part priority;
        Part dscp;
    };
    Part priority;
    Part dscp;
    /// Congestion notification packets; nothing: treated like other RoCE packets.
    std::optional<Cnp> cnp;
    Part bandwidth;
    Part ecn;
    Part trust;      ///< index in kTrusts
    Part libraries;  ///< a bit for each of libraries()
    Origin origin;
};
/// Whether the port takes the priority from the VLAN tag and ignores DSCP.
[[nodiscard]] inline bool trusts_tag(const Intent& intent) {
    return kTrusts.at(intent.trust.value) == "pcp";
}

}  // namespace core

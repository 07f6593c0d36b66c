// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/model/origin.hpp"

namespace core {

/// What can tell the priority of a packet, as `roce.trust` spells it.
inline constexpr std::array<std::string_view, 2> kTrusts = {"dscp", "pcp"};

/// What a port is to be on the fabric; all settings of derive() follow from it.
struct Intent {
    struct Part {
        std::uint64_t value = 0;
        Origin origin;  ///< of the key, or of `roce` where it is not stated
    };
    struct Cnp {
        Part priority;
        Part dscp;
    };
    Part priority;
    Part dscp;
    std::optional<Cnp> cnp;  ///< congestion notification packets; nothing: not treated apart
    Part bandwidth;
    Part ecn;
    Part trust;      ///< position in kTrusts
    Part libraries;  ///< a bit for each of libraries()
    Origin origin;
};
/// Whether packets get their priority from the VLAN tag, and DSCP means nothing to the port.
[[nodiscard]] inline bool trusts_tag(const Intent& intent) {
    return kTrusts.at(intent.trust.value) == "pcp";
}

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/model/object.hpp"
#include "core/model/state.hpp"

namespace core {

/// A profile that ports already fulfil.
struct Draft {
    std::string document;               ///< JSON
    std::vector<std::string> left_out;  ///< what no valid profile could state, and why
    /// Which values are as another manager of the port sets them: where they came from.
    std::vector<std::string> set_by{};
};

/// The objects that a draft needs: all but those of the host without a setting, such as its log and
/// its processes, which take longer to read than the rest.
Objects drafted_objects();

/// States what the ports hold: their settings, the VLANs on them, the rules about them, and what
/// RoCE needs of the host. Left out is what the kernel made itself, flags that a device names
/// itself (features, private flags) and what its driver chose (interrupts). Settings that follow
/// from an intent become `roce`; ports of one driver that agree share an entry.
Draft draft_profile(const State& state, const std::vector<const Port*>& ports,
                    const std::string& name);

}  // namespace core

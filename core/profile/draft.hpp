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
};

/// What a draft looks at: all but the objects of the host of which no profile states anything. Its
/// log, its processes and its files take longer to read than the rest.
Objects drafted_objects();

/// States what the ports hold: every setting but those the kernel made itself and the flags that a
/// device names itself (features, private flags), and what its driver chose (interrupts); the VLANs
/// on them; the rules that are about them; and of the host
/// what RoCE asks of it. What follows from an intent is folded into `roce`; ports of one driver
/// that agree share an entry.
Draft draft_profile(const State& state, const std::vector<const Port*>& ports,
                    const std::string& name);

}  // namespace core

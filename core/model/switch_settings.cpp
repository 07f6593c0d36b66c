// SPDX-License-Identifier: Apache-2.0
#include "core/model/switch_settings.hpp"

#include <algorithm>

namespace core {

const SwitchSettings::Priority* SwitchSettings::priority_of(std::uint64_t dscp) const {
    const auto found = dscp_map.find(dscp);
    return found == dscp_map.end() ? nullptr : &found->second;
}

bool SwitchSettings::keeps(std::uint64_t priority) const {
    return lossless &&
           std::ranges::find(lossless->priorities, priority) != lossless->priorities.end();
}

bool SwitchSettings::loses(std::uint64_t priority) const {
    return lossless && !keeps(priority);
}

}  // namespace core

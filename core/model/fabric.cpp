// SPDX-License-Identifier: Apache-2.0
#include "core/model/fabric.hpp"

#include <algorithm>

namespace core {

const Fabric::Priority* Fabric::priority_of(std::uint64_t dscp) const {
    const auto found = dscp_map.find(dscp);
    return found == dscp_map.end() ? nullptr : &found->second;
}

bool Fabric::keeps(std::uint64_t priority) const {
    return lossless &&
           std::ranges::find(lossless->priorities, priority) != lossless->priorities.end();
}

bool Fabric::loses(std::uint64_t priority) const {
    return lossless && !keeps(priority);
}

}  // namespace core

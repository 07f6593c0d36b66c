// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace core {

/// What watches over a part of the port's device for its driver (devlink-health(8)).
struct Reporter {
    std::string name{};
    bool healthy = true;
    std::uint64_t errors = 0;     ///< that it saw since the driver was loaded
    std::uint64_t recovered = 0;  ///< after how many of them the part was put right
    bool operator==(const Reporter&) const = default;
};

using Reporters = std::vector<Reporter>;

}  // namespace core

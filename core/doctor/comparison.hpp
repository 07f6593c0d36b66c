// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/model/state.hpp"

namespace core {

/// One value that is not what it was.
struct Difference {
    std::string port{};  ///< kHost for the host
    std::string name{};  ///< `mtu`, `dscp.map 26`
    std::string before{};
    std::string after{};
    bool operator==(const Difference&) const = default;
};

/// What became of a host between two readings.
struct Comparison {
    double seconds = 0;  ///< between them; 0 where that is not known
    std::vector<Difference> changed{};
};

/// Settings, and what else is one value and no counter: firmware, driver, speed, carrier, the bus.
/// Of ports and objects of which both tell, and ports with a bus address that came or went.
Comparison compared(const State& before, const State& now, double seconds);

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/model/state.hpp"

namespace core {

/// A value that changed.
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

/// What differs between two readings: settings, and facts that are one value and no counter, such
/// as firmware, driver, speed and carrier, of the ports and objects that both readings have; and
/// ports with a bus address that came or went.
Comparison compared(const State& before, const State& now, double seconds);

/// Whether the two are known to be of different hosts: both have a name, these differ, and no port
/// of the one has the MAC address of one of the other, as after a host was given another name.
bool are_of_different_hosts(const State& earlier, const State& now);

}  // namespace core

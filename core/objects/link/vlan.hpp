// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace core {

/// What makes a port the VLAN child of another one.
struct Vlan {
    std::string parent{};  ///< empty: the port is none, or is not there
    std::uint16_t id = 0;
    std::map<std::uint32_t, std::uint8_t> egress{};   ///< PCP of each packet priority, 0 left out
    std::map<std::uint8_t, std::uint32_t> ingress{};  ///< packet priority of each PCP, 0 left out
    bool operator==(const Vlan&) const = default;
};

}  // namespace core

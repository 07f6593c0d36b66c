// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace core {

/// devlink's parameter enable_roce of the port's NIC.
struct EnableRoce {
    enum class Mode : std::uint8_t { runtime, driverinit, permanent };  // devlink_param_cmode
    bool on = false;               ///< as it will be: nobody tells what the NIC was started with
    Mode mode = Mode::driverinit;  ///< when a change takes effect
    bool operator==(const EnableRoce&) const = default;
};

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "core/objects/link/private_flags.hpp"

namespace core {

/// What the device does for the kernel, by the kernel's names (netdev_features_strings).
struct Features {
    Flags active;
    std::set<std::string> fixed;  ///< cannot be changed
    Flags requested;              ///< asked for by somebody, where it is not what is active
    bool operator==(const Features&) const = default;
};

}  // namespace core

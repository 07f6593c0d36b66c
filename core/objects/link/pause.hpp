// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace core {

struct Pause {
    bool rx = false;
    bool tx = false;
    bool autoneg = false;
    bool operator==(const Pause&) const = default;
};

}  // namespace core

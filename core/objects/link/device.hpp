// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace core {

struct Device {
    std::string driver;
    std::string firmware;
    bool operator==(const Device&) const = default;
};

}  // namespace core

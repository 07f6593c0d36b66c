// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

namespace core {

/// What devlink tells of the parameters of the port's NIC, by their names, in devlink(8)'s words.
struct Parameters {
    std::map<std::string, std::string> stored{};  ///< what the NIC keeps for its next start
    std::map<std::string, std::string> driver{};  ///< what its driver holds, or starts with
    bool operator==(const Parameters&) const = default;
};

}  // namespace core

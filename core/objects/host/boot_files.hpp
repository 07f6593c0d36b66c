// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace core {

/// A line of a file that a program reads at boot, of those that are about what rocectl sets; line 0
/// is the file itself.
struct BootLine {
    std::string file;
    std::uint32_t line = 0;
    std::string text{};
    std::string refused{};   ///< of a file: why it could not be read
    std::uint64_t time = 0;  ///< of a file: when it was written, in seconds since 1970
    bool operator==(const BootLine&) const = default;
};

using BootFiles = std::vector<BootLine>;

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace core {

/// Forward error correction, as words of link.fec.
struct Fec {
    static constexpr std::string_view automatic = "auto";
    std::string mode{};    ///< asked for; empty: more than one
    std::string active{};  ///< in use; empty: the driver does not tell
    bool operator==(const Fec&) const = default;
};

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace core {

/// Where a desired value comes from: `soft-roce.json:8`, `derived from roce.dscp
/// (soft-roce.json:4)`.
struct Origin {
    std::string file{};
    unsigned line = 0;
    unsigned column = 0;
    std::string pointer{};       ///< in the file, for what one line holds several of
    std::string derived_from{};  ///< the intent's key, empty for a stated desired value
    std::string other{};         ///< for desired values that no file holds: "kept", "as it was"
    bool operator==(const Origin&) const = default;
};
std::string text(const Origin& origin);
[[nodiscard]] inline bool is_derived(const Origin& origin) {
    return !origin.derived_from.empty();
}

/// Origin::other of the desired values with which undo asks for the old values again.
inline constexpr std::string_view kAsItWas = "as it was";
[[nodiscard]] inline bool is_undo_profile(const Origin& origin) {
    return origin.other == kAsItWas;
}

}  // namespace core

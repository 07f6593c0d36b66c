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
    std::string pointer{};       ///< JSON pointer, as one line may hold several values
    std::string derived_from{};  ///< the key of the intent; empty for a stated value
    std::string other{};         ///< where no file holds the value: "kept", "as it was"
    bool operator==(const Origin&) const = default;
};
std::string text(const Origin& origin);
[[nodiscard]] inline bool is_derived(const Origin& origin) {
    return !origin.derived_from.empty();
}

/// Origin::other of an undo profile's desired values.
inline constexpr std::string_view kAsItWas = "as it was";
[[nodiscard]] inline bool is_undo_profile(const Origin& origin) {
    return origin.other == kAsItWas;
}

}  // namespace core

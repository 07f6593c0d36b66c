// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/field.hpp"
#include "core/model/finding.hpp"

namespace core {

/// Where a wish comes from: `soft-roce.json:8`, `derived from roce.dscp (soft-roce.json:4)`.
struct Origin {
    std::string file{};
    unsigned line = 0;
    unsigned column = 0;
    std::string pointer{};       ///< in the file, for what one line holds several of
    std::string derived_from{};  ///< the intent's key, empty for a stated wish
    std::string other{};         ///< for wishes that no file holds: "kept", "as it was"
    bool operator==(const Origin&) const = default;
};
std::string text(const Origin& origin);
[[nodiscard]] inline bool is_derived(const Origin& origin) {
    return !origin.derived_from.empty();
}

/// Of the wishes to have the old values again.
inline constexpr std::string_view kAsItWas = "as it was";
[[nodiscard]] inline bool is_past(const Origin& origin) {
    return origin.other == kAsItWas;
}

/// One element of one setting of one port, as it should be.
struct Wish {
    std::string port{};
    const Field* field = nullptr;
    std::string element{};         ///< "" for a plain setting
    std::optional<Value> value{};  ///< nothing: it should not be there
    Origin origin{};
    bool optional = false;  ///< where the device cannot hold it, a note and not a failure
    bool external = false;  ///< another program sets it: verified, and never written
};

/// Whether both are about the same element of the same setting.
[[nodiscard]] inline bool same_element(const Wish& left, const Wish& right) {
    return left.field == right.field && left.element == right.element;
}

/// A collection in which what is not wished should not be there.
struct Exact {
    std::string port{};
    const Field* field = nullptr;
    std::optional<Value>
        only{};  ///< only elements with this value (DSCPs of the lossless priority)
    Origin origin{};
};

/// Elements as they should be, and collections in which nothing else should be.
struct Wished {
    std::vector<Wish> wishes{};
    std::vector<Exact> exact{};
};

/// A profile resolved for a host: what plan, apply and verify work on.
struct Wishes {
    std::vector<std::string> ports{};  ///< matched, in the order in which steps go
    std::vector<Wish> wishes{};
    std::vector<Exact> exact{};
    std::vector<Finding> findings{};  ///< no port matched, entries in conflict, notes
};

}  // namespace core

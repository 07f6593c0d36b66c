// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/json/tree.hpp"
#include "core/model/shape.hpp"
#include "core/model/wish.hpp"

namespace core {

/// One key of `switch`.
struct FabricKey {
    std::string_view name;
    Shape shape;
    std::string_view doc;
};
std::span<const FabricKey> fabric_keys();

/// What the switches are configured to do, as `switch` of a profile states it. What it does not
/// state is not known, and agrees with everything.
struct Fabric {
    struct Priority {
        std::uint64_t value = 0;
        Origin origin;
    };
    struct Lossless {
        Numbers priorities;
        Origin origin;
    };
    std::map<std::uint64_t, Priority> dscp_map;  ///< by code point
    std::optional<Lossless> lossless;

    [[nodiscard]] const Priority* priority_of(std::uint64_t dscp) const;
    [[nodiscard]] bool loses(std::uint64_t priority) const;  ///< known not to be lossless
    [[nodiscard]] bool keeps(std::uint64_t priority) const;  ///< known to be lossless
};

/// Reads `switch`; nothing where it is null or wrong, which is then said. What still holds `${…}`
/// is left out.
std::optional<Fabric> read_fabric(const Node& node, const std::string& pointer, Problems& problems);

}  // namespace core

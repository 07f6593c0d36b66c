// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/json/tree.hpp"
#include "core/model/fabric.hpp"
#include "core/model/shape.hpp"

namespace core {

/// One key of `switch`.
struct FabricKey {
    std::string_view name;
    Shape shape;
    std::string_view doc;
};
std::span<const FabricKey> fabric_keys();

/// Reads `switch`; nothing where it is null, or invalid and a problem. Values with unresolved
/// `${…}` are left out.
std::optional<Fabric> read_fabric(const Node& node, const std::string& pointer, Problems& problems);

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/json/json.hpp"
#include "core/json/tree.hpp"
#include "core/model/ip.hpp"
#include "core/profile/keys.hpp"

namespace core {

/// A fabric as `fabrics` of a profile states it.
struct StatedFabric {
    std::optional<std::uint64_t> speed{};   ///< of the links of its ports, in Mb/s
    std::optional<std::uint64_t> expect{};  ///< ports of all its entries
    std::vector<Prefix> to{};               ///< networks that each of its ports is to reach
    Place place{};
};
using StatedFabrics = std::map<std::string, StatedFabric>;

/// The keys of a fabric in `fabrics`.
std::span<const EntryKey> stated_fabric_keys();
/// The shape of speed and of expect, and of one network of `to`.
Shape shape_of_fabric_key(std::string_view key);

/// Reads `fabrics`, but for the `roce` of each, of which only what is wrong is said. A value with
/// `${…}` is left out.
StatedFabrics read_fabrics(const Node& node, const std::string& pointer, Problems& problems);

/// The `roce` of the profile under that of the fabric of this name: what the entries of it begin
/// with. `whole` is null where the profile has none; nothing where there is none of both.
std::optional<Node> roce_on_fabric(const Node& tree, const Node* whole, const std::string& fabric);

/// Adds a problem for each entry, and each accepted finding, whose `fabric` is not among those that
/// the profile names.
void check_fabric_names(const Node& tree, Problems& problems);

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cli {

/// One entry of a setting that maps numbers to numbers, and what is said of it.
struct MapEntry {
    std::uint64_t number = 0;  ///< a DSCP
    std::string before{};
    std::string after{};
};

/// Entries of one map as one setting. The ranges are as in dcb(8): `0-7:0 8-15:1`.
struct MapText {
    std::string name{};  ///< `dscp.map`; with its numbers where all entries say the same
    std::string before{};
    std::string after{};
};
MapText map_text(const std::string& key, const std::vector<MapEntry>& entries);

/// `dscp.map` and 26 of `dscp.map 26`; nothing where the name is of no map.
std::optional<std::pair<std::string, std::uint64_t>> map_entry(std::string_view name);

/// The names, those of one map as one: `mtu`, `dscp.map 0-7,26`.
std::vector<std::string> names_once(const std::vector<std::string>& names);

}  // namespace cli

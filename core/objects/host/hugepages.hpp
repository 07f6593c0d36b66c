// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace core {

/// How many huge pages there are: `default` or `1G` of the whole host, `1G/node0` of one node of
/// it. `default` are those of the size the kernel gives where none is asked for.
using HugePages = std::map<std::string, std::uint64_t, std::less<>>;

/// A number of huge pages, taken apart: `1G/node0`.
struct HugePagePool {
    std::uint64_t size = 0;  ///< kB of each page; 0 for the default size
    std::optional<unsigned> node{};
    bool operator==(const HugePagePool&) const = default;
};

std::optional<HugePagePool> parse_huge_page_pool(std::string_view name);

/// `2M` for 2048, as a profile spells a page size of so many kB.
std::string huge_page_size(std::uint64_t kilobytes);

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace core {

/// Kernel parameters by their names in sysctl(8), with one blank between the words of a value.
using Sysctl = std::map<std::string, std::string, std::less<>>;

/// Kernel modules that are loaded or built in.
using Modules = std::set<std::string, std::less<>>;

/// How many huge pages there are: `default` or `1G` of the whole host, `1G/node0` of one node of
/// it. `default` are those of the size the kernel gives where none is asked for.
using HugePages = std::map<std::string, std::uint64_t, std::less<>>;

/// The cpufreq governor of each policy (policy0, …).
using Governors = std::map<std::string, std::string, std::less<>>;

/// The path below /proc/sys of a parameter: in a name that begins with a word and a dot, dots part
/// directories and a slash stands for a dot; in one that begins with a word and a slash, the other
/// way round (sysctl(8)). Nothing where the name leads elsewhere.
std::optional<std::string> sysctl_path(std::string_view name);
/// The value as reading it back spells it: one blank between words, none around.
std::string one_blank(std::string_view value);
/// The name that sysctl(8) prints for a path below /proc/sys.
std::string sysctl_name(std::string_view path);

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

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace core::probe {

/// More hosts than this are a mistake of the list.
inline constexpr std::size_t kMostHosts = 4096;

/// Expands a comma-separated list of hosts, as Slurm writes it (scontrol(1), show hostlist):
/// `node[01-03,7],gpu-1` are node01, node02, node03, node7 and gpu-1. Numbers keep the width of the
/// first of a range; several brackets in a name are expanded independently. A bracket with a colon
/// in it is an IPv6 address: `[fd00::1]:18516`. Throws Error (usage) that says why the list is
/// invalid.
std::vector<std::string> expand_hosts(std::string_view list);

/// The hosts of a file: lists as above, one or more a line, with blanks or commas between them. A
/// comment is from `#` to the end of the line. Throws Error (usage) with the line's number.
std::vector<std::string> hosts_in(std::string_view text);

/// Each once, where it first stands.
std::vector<std::string> without_doubles(const std::vector<std::string>& hosts);

}  // namespace core::probe

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace core::probe {

/// More hosts than this are a mistake of the list.
inline constexpr std::size_t kMostHosts = 4096;

/// The hosts of a list with commas between them, in the form that Slurm writes (scontrol(1), show
/// hostlist): `node[01-03,7],gpu-1` are node01, node02, node03, node7 and gpu-1; numbers keep the
/// width that the first of a range has; several brackets of a name count each for itself. A bracket
/// with a colon in it is an IPv6 address: `[fd00::1]:18516`. Throws Error (usage) that says what is
/// wrong with it.
std::vector<std::string> expand_hosts(std::string_view list);

/// The hosts of a file: lists as above, one or more a line, with blanks or commas between them;
/// from
/// `#` to the end of its line is a comment. Throws Error (usage) with the line's number.
std::vector<std::string> hosts_in(std::string_view text);

/// Each once, where it first stands.
std::vector<std::string> without_doubles(const std::vector<std::string>& hosts);

}  // namespace core::probe

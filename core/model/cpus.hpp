// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace core {

/// CPUs by number.
using Cpus = std::set<unsigned>;

/// The kernel's list format, `0-3,8` (Documentation/admin-guide/kernel-parameters.rst, cpu lists);
/// nothing where the text is none, or names a CPU beyond 8191 (the most a kernel has, NR_CPUS).
std::optional<Cpus> parse_cpus(std::string_view text);
std::string text(const Cpus& cpus);

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace core {

/// CPU numbers.
using Cpus = std::set<unsigned>;

/// Parses the kernel's CPU list format, `0-3,8` (Documentation/admin-guide/kernel-parameters.rst,
/// cpu lists). Nothing where the text is no such list or names a CPU above 8191, the highest a
/// kernel can have (NR_CPUS).
std::optional<Cpus> parse_cpus(std::string_view text);
std::string text(const Cpus& cpus);

}  // namespace core

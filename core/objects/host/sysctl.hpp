// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace core {

/// Kernel parameters by their names in sysctl(8), with one blank between the words of a value.
using Sysctl = std::map<std::string, std::string, std::less<>>;

/// The path below /proc/sys of a parameter: in a name that begins with a word and a dot, dots part
/// directories and a slash stands for a dot; in one that begins with a word and a slash, the other
/// way round (sysctl(8)). Nothing where the name leads elsewhere.
std::optional<std::string> sysctl_path(std::string_view name);

/// The value as reading it back spells it: one blank between words, none around.
std::string one_blank(std::string_view value);

/// The name that sysctl(8) prints for a path below /proc/sys.
std::string sysctl_name(std::string_view path);

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>

namespace core {

/// Versions of the parts of the port's device by devlink's names, after `fixed`, `running` or
/// `stored`: `running fw.version`.
using Versions = std::map<std::string, std::string, std::less<>>;

}  // namespace core

namespace core::versions {

inline constexpr std::string_view kFixed = "fixed ";
inline constexpr std::string_view kRunning = "running ";
inline constexpr std::string_view kStored = "stored ";

}  // namespace core::versions

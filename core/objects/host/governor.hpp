// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

namespace core {

/// The cpufreq governor of each policy (policy0, …).
using Governors = std::map<std::string, std::string, std::less<>>;

}  // namespace core

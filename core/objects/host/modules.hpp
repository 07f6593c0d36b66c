// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

namespace core {

/// Kernel modules that are loaded or built in.
using Modules = std::set<std::string, std::less<>>;

}  // namespace core

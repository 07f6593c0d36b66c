// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

namespace core {

/// What a device names and can turn on and off.
using Flags = std::map<std::string, bool, std::less<>>;

}  // namespace core

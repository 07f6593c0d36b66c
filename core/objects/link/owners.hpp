// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

namespace core {

/// Programs that manage the port too, and how that was seen: `NetworkManager` to the path of its
/// connection profile.
using Owners = std::map<std::string, std::string, std::less<>>;

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace core {

/// The known key that a person most likely meant; empty where none is near.
std::string nearest(std::string_view key, const std::vector<std::string>& known);

/// `found unknown key 'X', did you mean 'Y'?`, or what would be accepted where nothing is near.
std::string unknown_key(std::string_view key, const std::vector<std::string>& known);

}  // namespace core

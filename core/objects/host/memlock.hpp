// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

namespace core {

/// How much memory may be locked: `service:slurmd`, `user:alice` to bytes or `unlimited`.
using Memlock = std::map<std::string, std::string, std::less<>>;

}  // namespace core

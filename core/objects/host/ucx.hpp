// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

namespace core {

/// What /etc/ucx/ucx.conf sets, by its names: UCX_… to the value as it stands there.
using Ucx = std::map<std::string, std::string, std::less<>>;

}  // namespace core

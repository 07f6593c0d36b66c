// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

namespace core {

/// What /etc/nccl.conf sets, by its names: NCCL_… to the value as it stands there.
using Nccl = std::map<std::string, std::string, std::less<>>;

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace core {

/// How often devlink reloaded the port's device since its driver was loaded, by the kernel's word
/// for the action (devlink-dev(8)): `driver_reinit`, `fw_activate`, and with `remote` before it
/// what was for another function or host of the same card.
using Reloads = std::map<std::string, std::uint64_t>;

namespace reloads {

inline constexpr std::string_view kRemote = "remote ";

}  // namespace reloads
}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace core {
struct Port;
}

namespace core::speed {

/// The speed of the link in Mb/s; nothing where it was not read, or there is no link (0, or
/// SPEED_UNKNOWN of include/uapi/linux/ethtool.h).
std::optional<std::uint32_t> known(const Port& port);

}  // namespace core::speed

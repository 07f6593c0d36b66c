// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace core {

struct Ipv6 {
    std::uint8_t addr_gen_mode = 0;  ///< IN6_ADDR_GEN_MODE_* (include/uapi/linux/if_link.h)
    bool operator==(const Ipv6&) const = default;
};

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#include "cli/privilege.hpp"

#include <linux/capability.h>

#include <cstdint>
#include <fstream>

namespace cli {

std::string lacking_privilege() {
    // CapEff of proc(5): the set that the kernel checks netlink writes against.
    std::ifstream status("/proc/self/status");
    for (std::string name; status >> name;) {
        if (name != "CapEff:") continue;
        std::uint64_t effective = 0;
        status >> std::hex >> effective;
        if ((effective >> CAP_NET_ADMIN & 1U) != 0) return {};
        return "the capability CAP_NET_ADMIN is missing: run as root";
    }
    return "the capabilities of this process cannot be read from /proc/self/status";
}

}  // namespace cli

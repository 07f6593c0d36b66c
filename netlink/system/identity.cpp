// SPDX-License-Identifier: Apache-2.0
#include "netlink/system/identity.hpp"

#include <sys/utsname.h>

#include <ctime>

namespace netlink {

core::Host identity() {
    utsname names{};
    uname(&names);
    return {.name = names.nodename,
            .kernel = names.release,
            .time = static_cast<std::uint64_t>(std::time(nullptr))};
}

}  // namespace netlink

// SPDX-License-Identifier: Apache-2.0
#include "netlink/system/identity.hpp"

#include <sys/utsname.h>

namespace netlink {

core::Host identity() {
    utsname names{};
    uname(&names);
    return {.name = names.nodename, .kernel = names.release};
}

}  // namespace netlink

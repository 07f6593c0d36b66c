// SPDX-License-Identifier: Apache-2.0
#include "cli/seal/privilege.hpp"

#include <linux/capability.h>

#include "cli/seal/capabilities.hpp"

namespace cli {
namespace {

/// What writing takes beside the ownership of root's files. `ip`, `rdma`, `dcb` and `ethtool` need
/// no more than the first.
constexpr Capabilities kWriting =
    only(CAP_NET_ADMIN) |       // netlink, SIOCETHTOOL, /proc/sys/net
    only(CAP_NET_RAW) |         // asking a gateway whether it answers
    only(CAP_SYS_ADMIN) |       // PCI configuration space, mounting configfs, some of /proc/sys
    only(CAP_SYS_MODULE) |      // loading and removing modules
    only(CAP_DAC_OVERRIDE) |    // files of the user who ran sudo
    only(CAP_DAC_READ_SEARCH);  // the same, of file systems that tell the two apart

}  // namespace

std::string lacking_privilege() {
    if ((effective_capabilities() & only(CAP_NET_ADMIN)) != 0) return {};
    return "the capability CAP_NET_ADMIN is missing: run as root";
}

void drop_other_privilege() {
    keep_capabilities(kWriting);
}

}  // namespace cli

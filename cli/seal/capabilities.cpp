// SPDX-License-Identifier: Apache-2.0
#include "cli/seal/capabilities.hpp"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <system_error>

#include "core/error.hpp"

namespace cli {
namespace {

using Halves = std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3>;

__user_cap_header_struct header() {
    return {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
}

[[noreturn]] void refuse(const char* what) {
    throw core::Error(core::Status::failed,
                      std::string(what) + ": " + std::generic_category().message(errno));
}

Halves read_halves() {
    Halves halves{};
    __user_cap_header_struct asked = header();
    if (syscall(SYS_capget, &asked, halves.data()) != 0) refuse("reading capabilities");
    return halves;
}

/// What writing takes beside the ownership of root's files. `ip`, `rdma`, `dcb` and `ethtool` need
/// no more than the first.
constexpr Capabilities kWriting =
    only(CAP_NET_ADMIN) |       // netlink, SIOCETHTOOL, /proc/sys/net
    only(CAP_NET_RAW) |         // asking a gateway whether it answers
    only(CAP_SYS_ADMIN) |       // PCI configuration space, mounting configfs, some of /proc/sys
    only(CAP_SYS_MODULE) |      // loading and removing modules
    only(CAP_DAC_OVERRIDE) |    // files of the user who ran sudo
    only(CAP_DAC_READ_SEARCH);  // the same, of file systems that tell the two apart

/// What the guard of --confirm takes. Without the first its locked stack would not grow.
constexpr Capabilities kStaying = only(CAP_IPC_LOCK) |     // mlockall(2)
                                  only(CAP_SYS_RESOURCE);  // oom_score_adj, limits of the caller

}  // namespace

Capabilities effective_capabilities() {
    const Halves halves = read_halves();
    return Capabilities{halves[1].effective} << 32U | halves[0].effective;
}

void keep_capabilities(Capabilities kept) {
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);  // NOLINT(*-vararg)
    Halves halves = read_halves();
    for (__user_cap_data_struct& half : halves) {
        const auto part = static_cast<std::uint32_t>(kept);
        half.permitted &= part;
        half.effective &= part;
        half.inheritable = 0;
        kept >>= 32U;
    }
    __user_cap_header_struct asked = header();
    if (syscall(SYS_capset, &asked, halves.data()) != 0) refuse("dropping capabilities");
}

void empty_bounding_set() {
    // EINVAL: the kernel knows no more of them. EPERM: no right to.
    for (unsigned long i = 0; prctl(PR_CAPBSET_DROP, i, 0, 0, 0) == 0; ++i)  // NOLINT(*-vararg)
        continue;
}

std::string lacking_privilege() {
    if ((effective_capabilities() & only(CAP_NET_ADMIN)) != 0) return {};
    return "the capability CAP_NET_ADMIN is missing: run as root";
}

void drop_other_privilege(bool starts_guard) {
    keep_capabilities(starts_guard ? kWriting | kStaying : kWriting);
}

}  // namespace cli

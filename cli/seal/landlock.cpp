// SPDX-License-Identifier: Apache-2.0
#include "cli/seal/landlock.hpp"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <functional>

#include "netlink/transport/descriptor.hpp"

// Documentation/userspace-api/landlock.rst

namespace cli {
namespace {

using Access = std::uint64_t;

/// What a process is to lose (struct landlock_ruleset_attr). Older headers have only the first, and
/// an older kernel takes the others as long as they are 0.
struct Ruleset {
    Access files = 0;
    Access network = 0;
    Access scopes = 0;  ///< whom it reaches only among the processes that are sealed with it
};

constexpr Access kTruncate = 1ULL << 14U;
constexpr Access kIoctlDevice = 1ULL << 15U;
constexpr Access kResolveUnix = 1ULL << 16U;
constexpr Access kBindTcp = 1;
constexpr Access kConnectTcp = 2;
constexpr Access kBindUdp = 4;
constexpr Access kConnectAndSendUdp = 8;
constexpr Access kAbstractSocketsAndSignals = 3;
constexpr Access kSignals = 2;

/// What a version of the interface brought. What is left out brought none: 7 has flags for the log
/// of what was refused, 8 one for threads, of which a command has no other, and 11 one that sets
/// no_new_privs (Linux 7.3 include/uapi/linux/landlock.h).
struct Rights {
    int version = 0;
    Ruleset handled{};
};

constexpr std::array kRights = {
    Rights{
        1,
        {LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |
         LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
         LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
         LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
         LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM}},
    Rights{2, {.files = LANDLOCK_ACCESS_FS_REFER}},
    Rights{3, {.files = kTruncate}},
    Rights{4, {.network = kBindTcp | kConnectTcp}},
    Rights{5, {.files = kIoctlDevice}},
    Rights{6, {.scopes = kAbstractSocketsAndSignals}},
    Rights{9, {.files = kResolveUnix}},
    Rights{10, {.network = kBindUdp | kConnectAndSendUdp}},
};

/// All rights that both this program and a kernel of this version know, and the version that
/// brought the last of them.
Rights known_to(int kernel) {
    Rights all;
    for (const Rights& rights : kRights) {
        if (rights.version > kernel) break;
        all.version = rights.version;
        all.handled.files |= rights.handled.files;
        all.handled.network |= rights.handled.network;
        all.handled.scopes |= rights.handled.scopes;
    }
    return all;
}

void let_devices_be_opened(int ruleset, Access handled) {
    const netlink::Descriptor folder(
        open("/dev/infiniband", O_PATH | O_DIRECTORY | O_CLOEXEC));  // NOLINT(*-vararg)
    if (folder.number() < 0) return;
    const landlock_path_beneath_attr rule = {
        .allowed_access = handled & (LANDLOCK_ACCESS_FS_WRITE_FILE | kIoctlDevice),
        .parent_fd = folder.number()};
    syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}

/// struct landlock_net_port_attr, which older headers do not have.
struct PortRule {
    Access allowed = 0;
    std::uint64_t port = 0;
};
constexpr int kPortRule = 2;  // LANDLOCK_RULE_NET_PORT

void let_port(int ruleset, Access access, std::uint16_t port) {
    if (access == 0) return;
    const PortRule rule = {.allowed = access, .port = port};
    syscall(SYS_landlock_add_rule, ruleset, kPortRule, &rule, 0);
}

/// Port 0 of bind(2) is one that the kernel chooses.
void let_ports_be_reached(int ruleset, Access handled, const ReachedPorts& reached) {
    Access binds = reached.tcp.empty() ? 0 : kBindTcp;
    if (reached.udp) binds |= kBindUdp;
    let_port(ruleset, handled & binds, 0);
    for (const std::uint16_t port : reached.tcp)
        let_port(ruleset, handled & kConnectTcp, port);
}

int landlock_version() {
    return static_cast<int>(
        syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION));
}

/// But for what `let` adds rules for. The version that told of the rights; 0 where the kernel
/// refuses.
int give_up(const Rights& rights, const std::function<void(int ruleset)>& let) {
    if (rights.version == 0) return 0;
    const netlink::Descriptor ruleset(static_cast<int>(
        syscall(SYS_landlock_create_ruleset, &rights.handled, sizeof(rights.handled), 0)));
    if (ruleset.number() < 0) return 0;
    let(ruleset.number());
    return syscall(SYS_landlock_restrict_self, ruleset.number(), 0) == 0 ? rights.version : 0;
}

}  // namespace

bool has_landlock() {
    return landlock_version() > 0;
}

int close_files_but_signal() {
    Rights rights = known_to(landlock_version());
    rights.handled.scopes &= ~kSignals;
    return give_up(rights, [](int /*ruleset*/) {});
}

int close_files_by_landlock(bool devices, const ReachedPorts& reached) {
    Rights rights = known_to(landlock_version());
    if (reached.udp) rights.handled.network &= ~kConnectAndSendUdp;
    const Ruleset& handled = rights.handled;
    return give_up(rights, [&](int ruleset) {
        if (devices) let_devices_be_opened(ruleset, handled.files);
        let_ports_be_reached(ruleset, handled.network, reached);
    });
}

}  // namespace cli

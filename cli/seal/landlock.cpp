// SPDX-License-Identifier: Apache-2.0
#include "cli/seal/landlock.hpp"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdint>

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
constexpr Access kBindAndConnectTcp = 3;
constexpr Access kAbstractSocketsAndSignals = 3;
constexpr Access kSignals = 2;

/// What a version of the interface brought.
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
    Rights{4, {.network = kBindAndConnectTcp}},
    Rights{5, {.files = kIoctlDevice}},
    Rights{6, {.scopes = kAbstractSocketsAndSignals}},
};

Ruleset handled_by(int version) {
    Ruleset handled;
    for (const Rights& rights : kRights) {
        if (rights.version > version) continue;
        handled.files |= rights.handled.files;
        handled.network |= rights.handled.network;
        handled.scopes |= rights.handled.scopes;
    }
    return handled;
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

constexpr Access kBindTcp = 1;
constexpr Access kConnectTcp = 2;

/// struct landlock_net_port_attr, which older headers do not have.
struct PortRule {
    Access allowed = 0;
    std::uint64_t port = 0;
};
constexpr int kPortRule = 2;  // LANDLOCK_RULE_NET_PORT

/// Port 0 of bind(2) is one that the kernel chooses.
void let_ports_be_reached(int ruleset, const std::vector<std::uint16_t>& ports) {
    const PortRule binds = {.allowed = kBindTcp, .port = 0};
    syscall(SYS_landlock_add_rule, ruleset, kPortRule, &binds, 0);
    for (const std::uint16_t port : ports) {
        const PortRule connects = {.allowed = kConnectTcp, .port = port};
        syscall(SYS_landlock_add_rule, ruleset, kPortRule, &connects, 0);
    }
}

int landlock_version() {
    return static_cast<int>(
        syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION));
}

}  // namespace

bool has_landlock() {
    return landlock_version() > 0;
}

int close_files_but_signal() {
    const int version = landlock_version();
    if (version <= 0) return 0;
    Ruleset asked = handled_by(version);
    asked.scopes &= ~kSignals;
    const netlink::Descriptor ruleset(
        static_cast<int>(syscall(SYS_landlock_create_ruleset, &asked, sizeof(asked), 0)));
    if (ruleset.number() < 0) return 0;
    return syscall(SYS_landlock_restrict_self, ruleset.number(), 0) == 0 ? version : 0;
}

int close_files_by_landlock(bool devices, const std::vector<std::uint16_t>& peer_ports) {
    const int version = landlock_version();
    if (version <= 0) return 0;
    const Ruleset asked = handled_by(version);
    const netlink::Descriptor ruleset(
        static_cast<int>(syscall(SYS_landlock_create_ruleset, &asked, sizeof(asked), 0)));
    if (ruleset.number() < 0) return 0;
    if (devices) let_devices_be_opened(ruleset.number(), asked.files);
    if (!peer_ports.empty() && asked.network != 0)
        let_ports_be_reached(ruleset.number(), peer_ports);
    if (syscall(SYS_landlock_restrict_self, ruleset.number(), 0) != 0) return 0;
    return version;
}

}  // namespace cli

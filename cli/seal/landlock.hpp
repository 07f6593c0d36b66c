// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace cli {

/// Network access that stays open to a sealed process.
struct ReachedPorts {
    std::vector<std::uint16_t> tcp{};  ///< remote ports, from any local port
    bool udp = false;                  ///< any remote port, from one chosen by the kernel
};

/// Takes from this process, as far as the kernel's Landlock can: opening files for writing, making,
/// moving, removing and running files, TCP connections and UDP datagrams except to the `reached`
/// ports, and signals and UNIX sockets to processes outside. With `devices`, the files below
/// /dev/infiniband that verbs uses stay open. Returns the Landlock ABI version that introduced the
/// last of the rights taken, which can be lower than the kernel's (Linux 7.3
/// Documentation/userspace-api/landlock.rst); 0 where the kernel has none or refuses. Needs
/// no_new_privs.
int close_files_by_landlock(bool devices, const ReachedPorts& reached = {});

/// Takes what close_files_by_landlock(false) takes, except signals: this process signals a child
/// that it started before, which is outside. Returns the same.
int close_files_but_signal();

/// Whether the kernel has Landlock.
[[nodiscard]] bool has_landlock();

}  // namespace cli

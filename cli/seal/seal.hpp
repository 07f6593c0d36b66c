// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "cli/seal/allowed_calls.hpp"
#include "cli/seal/capabilities.hpp"

namespace cli {

/// Which barriers to try; tests leave one out.
struct Barriers {
    bool landlock = true;
    bool filter = true;
};

/// What holds in a sealed process.
struct Seal {
    int landlock = 0;     ///< see close_files_by_landlock
    bool filter = false;  ///< of system calls
    bool sends = false;   ///< so that RDMA devices are opened, come what may

    /// Whether RDMA devices can be opened: a filter alone cannot tell them from other files.
    [[nodiscard]] bool allows_devices() const { return landlock > 0 || !filter || sends; }
};

/// What a process that sends by RDMA reaches beside.
struct Sending {
    std::vector<std::uint16_t> peer_ports{};  ///< by TCP
    bool datagrams = true;                    ///< UDP, to what port the peer tells of only later
    bool to_itself = false;                   ///< a process that it starts is the other end
};

/// Gives up for good what this process could change the host with: its capabilities, but for the
/// right to read files of others; new ones by running a program; opening files for writing, and all
/// system calls that reading does not take. What the kernel has no means for is left out. Open
/// files stay what they are. RDMA devices can be asked afterwards where `purpose` says so and
/// Landlock, which can tell them from other files, is there.
Seal seal(SealedFor purpose, Barriers barriers = {});

/// Seals a process that only asks RDMA devices, where the kernel has no Landlock: what libraries of
/// drivers do not need is refused, but files that are there can be opened for writing.
void seal_without_landlock();

/// Seals a process that only asks what takes these capabilities, and keeps them. Without Landlock,
/// which keeps a process from looking at others (security/landlock/task.c
/// hook_ptrace_access_check); the filter keeps files from being opened for writing.
void seal_but_for(Capabilities kept);

/// Seals a process that sends to others by RDMA: no capability, by Landlock no file that could be
/// written but RDMA devices, and no further TCP connection that it makes or listens for, but to
/// `peer_ports`; by a filter no system call but those that RDMA devices are asked by (rdma-core 65
/// libibverbs, librdmacm and providers/ need no others to send) and those of sockets. Without
/// Landlock the filter lets files that are there be opened for writing.
Seal seal_but_for_sending(const Sending& sending = {});

/// Seals a process that from now on only waits for its child and hands on what that says: without
/// any capability, it can do nothing else than that and end the child, this one alone.
void seal_but_for_waiting(pid_t child);

/// Seals a process that only names or removes a file of a folder that it has open, whoever owns
/// either.
void seal_but_for_naming();

/// Gives up the right to read files of others too, once the user's files are read.
void complete_seal();

/// As a line of the log.
std::string text(const Seal& seal);

}  // namespace cli

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

/// The barriers that are in force in a sealed process.
struct Seal {
    int landlock = 0;     ///< as close_files_by_landlock returns
    bool filter = false;  ///< of system calls
    bool sends = false;   ///< sealed for sending: RDMA devices are opened in any case

    /// Whether RDMA devices can be opened: a filter cannot distinguish them from other files.
    [[nodiscard]] bool allows_devices() const { return landlock > 0 || !filter || sends; }
};

/// What a process that sends by RDMA may reach besides.
struct Sending {
    std::vector<std::uint16_t> peer_ports{};  ///< by TCP
    bool datagrams = true;   ///< UDP to any port, since the peer names its port later
    bool to_itself = false;  ///< the other end is a child process
};

/// Gives up for good what this process could change the host with: capabilities, except the right
/// to read files of others; gaining new ones by running a program; opening files for writing; and
/// all system calls that reading does not need. Barriers that the kernel lacks are left out. Open
/// files stay open. RDMA devices can still be opened where `purpose` allows it and the kernel has
/// Landlock, which can distinguish them from other files.
Seal seal(SealedFor purpose, Barriers barriers = {});

/// Seals a process that only reads RDMA devices, on a kernel without Landlock: system calls that
/// drivers' libraries do not need are refused, but existing files can be opened for writing.
void seal_without_landlock();

/// Seals a process that only reads values that need these capabilities, and keeps them. Not by
/// Landlock, which would keep the process from looking at others (security/landlock/task.c
/// hook_ptrace_access_check); the filter keeps files from being opened for writing.
void seal_but_for(Capabilities kept);

/// Seals a process that only asks the firmware of NICs by fwctl, and keeps no capability. Not by
/// Landlock, which would keep it from making requests of devices. What it may ask for is in memory,
/// where no filter sees it: read_fwctl asks with read-only scope alone.
void seal_but_for_firmware();

/// Seals a process that sends to others by RDMA. It keeps no capability. Landlock leaves no
/// writable files but RDMA devices, and no new TCP connections, made or accepted, but to
/// `peer_ports`. The filter leaves the system calls of sockets and those by which RDMA devices are
/// used (rdma-core 65 libibverbs, librdmacm and providers/ need no others to send). Without
/// Landlock, existing files can be opened for writing.
Seal seal_but_for_sending(const Sending& sending = {});

/// Seals a process that only waits for its child and passes on its output: without capabilities, it
/// can do nothing else but kill that one child.
void seal_but_for_waiting(pid_t child);

/// Seals a process that only renames or removes a file in a folder it has open, whoever owns them.
void seal_but_for_naming();

/// Gives up also the right to read files of others, once the user's files are read.
void complete_seal();

/// The seal as a line of the log.
std::string text(const Seal& seal);

}  // namespace cli

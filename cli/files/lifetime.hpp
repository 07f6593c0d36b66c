// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "netlink/transport/host_path.hpp"

namespace cli {

/// What becomes of a process that this one leaves behind, when what started this one ends.
struct Lifetime {
    enum class End : std::uint8_t {
        none,   ///< nothing that is known ends it
        may,    ///< a service: systemd ends it, unless KillMode is process or none
        surely  ///< a container, a PID namespace, a session whose processes are ended
    };
    End end = End::none;
    std::string in{};         ///< what it is in and ends with: `nightly.service`
    bool of_systemd = false;  ///< a scope of its own would keep it
};

/// The lifetime of what this process leaves behind, by its PID and cgroup namespaces
/// (pid_namespaces(7), cgroup_namespaces(7)), its cgroup, and KillUserProcesses of logind.conf(5).
/// What cannot be told counts as `surely`.
Lifetime lifetime_of_left_behind(const netlink::Root& root);

/// The kind of file system that the file, or the folder that it would be in, lies on, where that is
/// one over the network (statfs(2)): `NFS`. Empty elsewhere. FUSE counts: what is behind it is not
/// known.
std::string remote_file_system(netlink::HostPath path);

/// Neither a disk that this process's pages would come from again nor a host that is short of
/// memory ends or holds it (mlockall(2), proc_pid_oom_score_adj(5)). Who may not ask for it does
/// without.
void stay_in_memory(const netlink::Root& root);

/// The caller's limits of memory, stack, processor time, processes and sizes of files
/// (setrlimit(2)) are not this process's: raised as far as it may.
void lift_limits();

/// Whether a signal stopped the process (proc_pid_stat(5), state T).
bool is_stopped(const netlink::Root& root, long process);

/// Whether the process is in the unit, by its cgroup.
bool is_in_unit(const netlink::Root& root, long process, const std::string& unit);

}  // namespace cli

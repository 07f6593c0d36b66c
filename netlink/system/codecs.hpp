// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/model/state.hpp"
#include "core/plan/kernel.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

/// Which of the named modules are loaded or built in; without names, all that are loaded.
void read_modules(Machine& machine, const Names& names, core::Port& itself);
/// Loads missing modules with their dependencies, as modprobe(8) does, and removes unwanted ones.
void write_modules(Machine& machine, const core::Port& now, const core::Port& then);

/// Whether root runs a process of this name (/proc/PID/comm, status).
bool root_runs(const Machine& machine, std::string_view name);
/// Whether irqbalance runs, and the active profile of tuned, none where tuned does not run: both by
/// one walk over the processes.
void read_daemons(Machine& machine, const core::Scope& scope, core::State& state);

/// The soft limit of locked memory in the text of /proc/PID/limits: bytes or `unlimited`.
std::optional<std::string> memlock_in_limits(std::string_view text);
/// What limits.conf(5) gives a user at login: bytes or `unlimited`; nothing where no line of the
/// text is about the user. `groups` are those the user is in.
std::optional<std::string> memlock_in_conf(std::string_view text, const std::string& user,
                                           const Names& groups);

/// How much the named services (service:NAME, as their first process has it) and users (user:NAME,
/// as limits.conf(5) gives it) may lock; without names, the running services.
void read_memlock(Machine& machine, const Names& names, core::Port& itself);

/// The variables that /etc/nccl.conf sets: of several lines for one the first counts, and what has
/// no `=` is none (NCCL src/misc/param.cc setEnvFile). No file is no variable.
void read_nccl(Machine& machine, const Names& names, core::Port& itself);
void write_nccl(Machine& machine, const core::Port& now, const core::Port& then);

/// The variables that /etc/ucx/ucx.conf sets for every host: what stands before its first section,
/// of several lines for one the last (UCX src/ucs/config/ini.c, parser.c). Throws KernelError
/// where a variable that is set so, or named here, stands in a section too, which counts on some
/// hosts alone.
void read_ucx(Machine& machine, const Names& names, core::Port& itself);
void write_ucx(Machine& machine, const core::Port& now, const core::Port& then);

/// The modules that the text of a file of modprobe.d(5) keeps from being loaded: `blacklist NAME`,
/// and `install NAME` with a command that does nothing.
Names kept_from_loading(std::string_view text);

/// Modules, libraries and device files of RDMA. Opens what is under /dev/infiniband, where the
/// kernel has the device: what it has not would be loaded.
void read_rdma_software(Machine& machine, const Names& names, core::Port& itself);

/// Whether the text of /proc/PID/status has the effective capability.
bool has_capability(std::string_view status, unsigned capability);

/// The processes that use RDMA, and how much each may lock.
void read_processes(Machine& machine, const Names& names, core::Port& itself);

/// Reads RDMA variables from the processes' environments. The kernel shows an environment only to
/// those who may trace the process. One refusal refuses them all, since that environment is
/// unknown.
void read_environments(Machine& machine, const Names& names, core::Port& itself);

/// From rdma.max and rdma.current (`mlx5_0 hca_handle=2 hca_object=2000`, kernel/cgroup/rdma.c),
/// the resource nearest to its limit, where that is nearer than the process's value so far.
void add_rdma_limit(std::string_view limits, std::string_view used, core::Process& process);

/// Adds to the process what is nearest to its limit in its control group or in one above that.
/// `groups` is /proc/PID/cgroup.
void read_rdma_limit(const Machine& machine, std::string_view groups, core::Process& process);

/// Decodes one read of /dev/kmsg (Documentation/ABI/testing/dev-kmsg); nothing where it shows no
/// known fault. Records written by programs are ignored: they are not the kernel's word.
std::optional<core::LogLine> decode_log_record(Bytes record);

/// Reads what the kernel still has, and waits for nothing. Takes CAP_SYSLOG where
/// kernel.dmesg_restrict is 1.
void read_kernel_log(Machine& machine, const Names& names, core::Port& itself);

/// What nftables has about port 4791, and what drops all that no rule accepts. Takes
/// CAP_NET_ADMIN (net/netfilter/nfnetlink.c nfnetlink_rcv). Loads nothing: where nf_tables is not
/// loaded there are no rules.
void read_firewall(Machine& machine, const Names& names, core::Port& itself);

/// The files by which programs set something at boot, as far as core/boot keeps their lines. One
/// that is no file, is too large or is not for this process to read is reported as refused.
void read_boot_files(Machine& machine, const Names& names, core::Port& itself);

/// Whether a NetworkManager connection profile (keyfile, nm-settings-keyfile(5)) is for the port:
/// by its name, or by its hardware address.
bool is_keyfile_of(std::string_view text, const core::Port& port);

/// Who else manages the ports, and where that was seen: lldpad (its socket), NetworkManager (its
/// keyfiles, /run/NetworkManager/devices), systemd-networkd (/run/systemd/netif/links), a udev
/// rule for bnxt_re, the SR-IOV network operator's daemon. Runs no program.
void read_owners(Machine& machine, const core::Scope& scope, core::State& state);

}  // namespace netlink

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

struct Port;
struct State;

/// Kernel modules that are loaded or built in.
using Modules = std::set<std::string, std::less<>>;

namespace modules {

/// The modules that `after` has and `before` has not; none where one of them does not tell.
Modules loaded(const State& before, const State& after);

}  // namespace modules

/// How many huge pages there are: `default` or `1G` of the whole host, `1G/node0` of one node of
/// it. `default` are those of the size the kernel gives where none is asked for.
using HugePages = std::map<std::string, std::uint64_t, std::less<>>;

/// A number of huge pages, taken apart: `1G/node0`.
struct HugePagePool {
    std::uint64_t size = 0;  ///< kB of each page; 0 for the default size
    std::optional<unsigned> node{};
    bool operator==(const HugePagePool&) const = default;
};

std::optional<HugePagePool> parse_huge_page_pool(std::string_view name);

/// `2M` for 2048, as a profile spells a page size of so many kB.
std::string huge_page_size(std::uint64_t kilobytes);

/// Kernel parameters by their names in sysctl(8), with one blank between the words of a value.
using Sysctl = std::map<std::string, std::string, std::less<>>;

/// The path below /proc/sys of a parameter: in a name that begins with a word and a dot, dots part
/// directories and a slash stands for a dot; in one that begins with a word and a slash, the other
/// way round (sysctl(8)). Nothing where the name leads elsewhere.
std::optional<std::string> sysctl_path(std::string_view name);

/// The value as reading it back spells it: one blank between words, none around.
std::string one_blank(std::string_view value);

/// The name that sysctl(8) prints for a path below /proc/sys.
std::string sysctl_name(std::string_view path);

/// The cpufreq governor of each policy (policy0, …).
using Governors = std::map<std::string, std::string, std::less<>>;

/// How much memory may be locked: `service:slurmd`, `user:alice` to bytes or `unlimited`.
using Memlock = std::map<std::string, std::string, std::less<>>;

/// What /etc/nccl.conf sets, by its names: NCCL_… to the value as it stands there.
using Nccl = std::map<std::string, std::string, std::less<>>;

/// What /etc/ucx/ucx.conf sets, by its names: UCX_… to the value as it stands there.
using Ucx = std::map<std::string, std::string, std::less<>>;

/// What stands under /dev/infiniband for a device of the kernel's, as a program finds it.
struct DeviceNode {
    std::string name;     ///< uverbs0, rdma_cm
    std::string mode;     ///< octal, such as 0666; empty: there is no node
    std::string owner;    ///< UID:GID
    std::string refused;  ///< why opening it failed; empty: it can be opened, or was not tried
    bool operator==(const DeviceNode&) const = default;
};

/// What of the RDMA stack is installed and in use on the host.
struct RdmaSoftware {
    /// `loaded`, `built in`, `on disk`, `blacklisted`, `not on disk`; `not loaded` where nothing
    /// tells what is on disk.
    std::map<std::string, std::string, std::less<>> modules{};
    /// By RDMA device the library that its provider is in, or `none`; `libibverbs` itself is among
    /// them.
    std::map<std::string, std::string, std::less<>> providers{};
    std::vector<DeviceNode> nodes{};
    bool operator==(const RdmaSoftware&) const = default;
};

namespace rdma_software {

/// Modules that every use of RDMA takes, and those that connecting by rdma_cm takes beside.
inline constexpr std::string_view kCore = "ib_core";
inline constexpr std::string_view kVerbs = "ib_uverbs";
inline constexpr std::string_view kCm = "rdma_cm";
inline constexpr std::string_view kUserCm = "rdma_ucm";
inline constexpr std::string_view kLibrary = "libibverbs";
inline constexpr std::string_view kNone = "none";

/// The module that makes the RDMA device of the port; empty where nobody can say.
std::string_view module_of(const Port& port);

/// Whether it is in the kernel; nothing where that was not read.
std::optional<bool> is_loaded(const RdmaSoftware& software, std::string_view module);

}  // namespace rdma_software

/// A process that holds queue pairs or identifiers of rdma_cm.
struct Process {
    std::uint32_t id = 0;
    std::string name;
    std::string memlock;      ///< bytes that it may lock, or unlimited; empty: not read
    bool may_exceed = false;  ///< the limit does not hold for it (CAP_IPC_LOCK)
    /// What its control group, or one above, has most of for the limit it was given
    /// (Documentation/admin-guide/cgroup-v2.rst, RDMA): `hca_object of mlx5_0`; empty: no limit.
    std::string rdma_object{};
    std::uint64_t rdma_used = 0;
    std::uint64_t rdma_limit = 0;
    bool operator==(const Process&) const = default;
};

/// By their numbers.
using Processes = std::vector<Process>;

/// A variable in the environment of a process that uses RDMA.
struct ProcessVariable {
    std::uint32_t process = 0;
    std::string program;  ///< the process's name
    std::string name;
    std::string value;
    bool operator==(const ProcessVariable&) const = default;
};

using Environments = std::vector<ProcessVariable>;

namespace environments {

/// What the names of those begin with that are kept. Of an environment nothing else is.
inline constexpr std::array<std::string_view, 4> kKept = {"NCCL_IB_", "UCX_IB_",
                                                          "UCX_NET_DEVICES=", "NVSHMEM_IB_"};

/// Whether `NAME=value` is kept.
bool is_kept(std::string_view assignment);

}  // namespace environments

/// A line of the kernel's log that tells of a fault.
struct LogLine {
    std::uint64_t milliseconds = 0;  ///< since the host was started
    std::string kind;                ///< of which it tells: a name of kernel_log::kinds
    std::string text;
    bool operator==(const LogLine&) const = default;
};

/// Since the host was started, as far as the kernel still has it: of each kind the first and the
/// last ones.
using KernelLog = std::vector<LogLine>;

namespace kernel_log {

/// A kind of line, by what all of its lines have in them.
struct Kind {
    std::string_view name{};
    std::array<std::string_view, 2> has{};  ///< both; an empty one is in every line
};
/// The kinds of lines that are looked for; a line that has several is of the first of them.
std::span<const Kind> kinds();

/// The kind of a line; empty where it tells of nothing that is looked for.
std::string_view kind_of(std::string_view line);

}  // namespace kernel_log

/// A rule of nftables that names the port of RoCE v2, as far as it can be told.
struct FirewallRule {
    std::string family;  ///< ip, ip6, inet, bridge, netdev or arp
    std::string table;
    std::string chain;
    std::uint64_t handle = 0;
    std::string protocol;  ///< udp or tcp; empty: any, or not understood
    std::string verdict;   ///< accept, drop, reject, or what it does else
    std::string beside;    ///< what it asks beside the protocol and the port; empty: nothing
    bool operator==(const FirewallRule&) const = default;
};

/// A chain in which packets are dropped where no rule says otherwise.
struct FirewallChain {
    std::string family;
    std::string table;
    std::string name;
    std::string hook;     ///< input, output, …
    std::string accepts;  ///< whether a rule in it may let packets to the port pass: no or maybe
    bool operator==(const FirewallChain&) const = default;
};

struct Firewall {
    std::vector<FirewallRule> rules{};
    std::vector<FirewallChain> chains{};
    std::string unread{};  ///< what there is beside that is not read here
    bool operator==(const Firewall&) const = default;
};

/// A line of a file that a program reads at boot, of those that are about what rocectl sets; line 0
/// is the file itself.
struct BootLine {
    std::string file;
    std::uint32_t line = 0;
    std::string text{};
    std::string refused{};   ///< of a file: why it could not be read
    std::uint64_t time = 0;  ///< of a file: when it was written, in seconds since 1970
    bool operator==(const BootLine&) const = default;
};

using BootFiles = std::vector<BootLine>;

}  // namespace core

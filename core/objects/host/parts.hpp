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

/// Kernel modules, loaded or built in.
using Modules = std::set<std::string, std::less<>>;

namespace modules {

/// The modules that `after` has and `before` lacks; none where either was not read.
Modules loaded(const State& before, const State& after);

}  // namespace modules

/// Number of huge pages by pool: `default` or `1G` for the whole host, `1G/node0` for a NUMA node.
/// `default` is the kernel's default size.
using HugePages = std::map<std::string, std::uint64_t, std::less<>>;

/// The name of a huge page pool, parsed: `1G/node0`.
struct HugePagePool {
    std::uint64_t size = 0;  ///< kB per page; 0 for the default size
    std::optional<unsigned> node{};
    bool operator==(const HugePagePool&) const = default;
};

std::optional<HugePagePool> parse_huge_page_pool(std::string_view name);

/// A page size in kB as a profile spells it: `2M` for 2048.
std::string huge_page_size(std::uint64_t kilobytes);

/// Kernel parameters by their sysctl(8) name, with single blanks between the words of a value.
using Sysctl = std::map<std::string, std::string, std::less<>>;

namespace sysctl {

/// Whether the kernel changes other parameters where this one is written.
bool sets_others(std::string_view name);
/// What to write, in order: first what sets others too, so that these end as they are stated. Left
/// out is a 0 that the kernel refuses and another write brings (vm.dirty_bytes, vm.dirty_ratio).
std::vector<std::pair<std::string, std::string>> writes(const Sysctl& now, const Sysctl& then);

}  // namespace sysctl

/// The path below /proc/sys of a parameter. If a dot comes first in the name, dots separate
/// directories and a slash stands for a dot; if a slash comes first, the other way round
/// (sysctl(8)). Nothing where the name leads out of /proc/sys.
std::optional<std::string> sysctl_path(std::string_view name);

/// The value as it is read back: single blanks between words, none around.
std::string one_blank(std::string_view value);

/// sysctl(8)'s name for a path below /proc/sys.
std::string sysctl_name(std::string_view path);

/// The cpufreq governor of each policy (policy0, …).
using Governors = std::map<std::string, std::string, std::less<>>;

/// Limits of locked memory: `service:slurmd` or `user:alice` to bytes or `unlimited`.
using Memlock = std::map<std::string, std::string, std::less<>>;

/// Variables set in /etc/nccl.conf: NCCL_… to the value as written there.
using Nccl = std::map<std::string, std::string, std::less<>>;

/// Variables set in /etc/ucx/ucx.conf: UCX_… to the value as written there.
using Ucx = std::map<std::string, std::string, std::less<>>;

/// The node under /dev/infiniband of an RDMA character device, as a program finds it.
struct DeviceNode {
    std::string name;     ///< uverbs0, rdma_cm
    std::string mode;     ///< octal, such as 0666; empty: the node is missing
    std::string owner;    ///< UID:GID
    std::string refused;  ///< why opening it failed; empty: it did not, or was not tried
    bool operator==(const DeviceNode&) const = default;
};

/// The RDMA software on the host: kernel modules, libibverbs providers and device nodes.
struct RdmaSoftware {
    /// To `loaded`, `built in`, `on disk`, `blacklisted` or `not on disk`; `not loaded` where it is
    /// not known what is on disk.
    std::map<std::string, std::string, std::less<>> modules{};
    /// RDMA device to the library with its provider, or `none`; has an entry for `libibverbs`
    /// itself too.
    std::map<std::string, std::string, std::less<>> providers{};
    std::vector<DeviceNode> nodes{};
    /// `irdma dcqcn_enable` to its value, of loaded modules that have it.
    std::map<std::string, std::string, std::less<>> parameters{};
    bool operator==(const RdmaSoftware&) const = default;
};

namespace rdma_software {

/// Modules that every use of RDMA needs, and those that connecting by rdma_cm needs too.
inline constexpr std::string_view kCore = "ib_core";
inline constexpr std::string_view kVerbs = "ib_uverbs";
inline constexpr std::string_view kCm = "rdma_cm";
inline constexpr std::string_view kUserCm = "rdma_ucm";
inline constexpr std::string_view kLibrary = "libibverbs";
inline constexpr std::string_view kNone = "none";

/// The module that creates the port's RDMA device; empty where not known.
std::string_view module_of(const Port& port);

/// Whether the module is loaded or built in; nothing where that was not read.
std::optional<bool> is_loaded(const RdmaSoftware& software, std::string_view module);

}  // namespace rdma_software

/// A process with queue pairs or rdma_cm identifiers.
struct Process {
    std::uint32_t id = 0;
    std::string name;
    std::string memlock;      ///< bytes that it may lock, or unlimited; empty: not read
    bool may_exceed = false;  ///< exempt from the limit (CAP_IPC_LOCK)
    /// The RDMA object of which its control group, or one above, uses the largest part of its limit
    /// (Documentation/admin-guide/cgroup-v2.rst, RDMA): `hca_object of mlx5_0`; empty: no limit.
    std::string rdma_object{};
    std::uint64_t rdma_used = 0;
    std::uint64_t rdma_limit = 0;
    bool operator==(const Process&) const = default;
};

/// Sorted by process id.
using Processes = std::vector<Process>;

/// A GPU or an accelerator on the PCI bus, from sysfs (Documentation/ABI/testing/sysfs-bus-pci) and
/// what its driver tells there and in procfs.
struct Gpu {
    std::string pci{};
    std::string above{};                         ///< the nearest bridge; empty: on the root bus
    std::string id{};                            ///< PCI vendor and device: 10de:2330
    std::string driver{};                        ///< empty: none
    std::string model{};                         ///< as the driver calls it; empty: it does not
    bool is_virtual = false;                     ///< a virtual function
    std::optional<std::uint32_t> numa_node{};    ///< nothing where the firmware names none
    std::optional<std::uint32_t> iommu_group{};  ///< nothing without an IOMMU
    std::string speed{};                         ///< of a lane: 32.0 GT/s PCIe
    std::uint32_t width = 0;                     ///< lanes
    std::string max_speed{};
    std::uint32_t max_width = 0;
    std::uint64_t bar = 0;                     ///< MiB of the largest region that peers can reach
    std::optional<std::uint64_t> memory{};     ///< MiB (amdgpu mem_info_vram_total)
    std::optional<std::uint32_t> instances{};  ///< that it is divided into (MIG); nothing: not told
    bool operator==(const Gpu&) const = default;
};

/// A bridge of the PCI bus above a GPU or an RDMA device.
struct PciBridge {
    std::string pci{};
    std::string above{};      ///< the next bridge towards the processor; empty: on the root bus
    std::string id{};         ///< PCI vendor and device
    std::string subsystem{};  ///< vendor and device of its subsystem
    /// Controls of Access Control Services that are on, as lspci(8) spells them (`ReqRedir
    /// CmpltRedir`); `off` where all are off, `none` without the capability, empty: not read.
    std::string acs{};
    bool operator==(const PciBridge&) const = default;
};

/// A second function of a ConnectX-8 that is behind a GPU's own root port, by which the NIC reaches
/// the GPU's memory (data direct; drivers/infiniband/hw/mlx5/data_direct.c, Linux 6.12).
struct DataDirect {
    std::string pci{};
    std::string above{};  ///< the nearest bridge; empty: on the root bus
    std::optional<std::uint32_t> iommu_group{};
    bool operator==(const DataDirect&) const = default;
};

/// The GPUs of the host; bridges and functions of data direct are there only where a GPU is.
struct Gpus {
    std::vector<Gpu> devices{};
    std::vector<PciBridge> bridges{};
    std::vector<DataDirect> data_direct{};
    bool operator==(const Gpus&) const = default;
};

/// A kernel module that drives GPUs.
struct GpuDriver {
    std::string name;       ///< nvidia or amdgpu
    std::string version{};  ///< empty: it has none of its own
    /// Of NVIDIA's: open or proprietary; empty: not told.
    std::string flavour{};
    bool operator==(const GpuDriver&) const = default;
};

/// What of the kernel gives NICs the memory of GPUs (GPUDirect RDMA); all of it is empty where no
/// module of kGpuModules is loaded.
struct GpuDirect {
    using Options = std::map<std::string, std::string, std::less<>>;

    std::vector<GpuDriver> drivers{};
    Modules peer_modules{};  ///< those of kPeerModules that are loaded
    /// What has registered as peer memory with a vendor's ib_core, where that has a folder for it.
    std::set<std::string> peer_clients{};
    /// The kernel's configuration, y, m or n by the names of kKernelOptions; nothing where no file
    /// with it could be read.
    std::optional<Options> kernel_options{};
    bool operator==(const GpuDirect&) const = default;
};

namespace gpu_direct {

inline constexpr std::string_view kNvidia = "nvidia";
inline constexpr std::string_view kAmd = "amdgpu";
inline constexpr std::array<std::string_view, 2> kGpuModules = {kNvidia, kAmd};

/// Modules that register NVIDIA's memory as peer memory: of NVIDIA's driver, and the older one.
inline constexpr std::array<std::string_view, 2> kPeerModules = {"nvidia_peermem", "nv_peer_mem"};

/// Options that decide whether GPUs give dma-bufs and NICs take them.
inline constexpr std::array<std::string_view, 5> kKernelOptions = {
    "DMABUF_MOVE_NOTIFY", "DMA_SHARED_BUFFER", "HSA_AMD_P2P", "INFINIBAND_ON_DEMAND_PAGING",
    "PCI_P2PDMA"};

inline constexpr std::string_view kOpen = "open";
inline constexpr std::string_view kProprietary = "proprietary";

}  // namespace gpu_direct

/// An environment variable of a process that uses RDMA.
struct ProcessVariable {
    std::uint32_t process = 0;
    std::string program;  ///< the process's name
    std::string name;
    std::string value;
    bool operator==(const ProcessVariable&) const = default;
};

using Environments = std::vector<ProcessVariable>;

namespace environments {

/// Prefixes of the variables that are read. Nothing else of an environment is kept.
inline constexpr std::array<std::string_view, 15> kKept = {
    "NCCL_IB_",          "NCCL_NET=",
    "NCCL_NET_GDR_",     "NCCL_DMABUF_ENABLE=",
    "UCX_IB_",           "UCX_NET_DEVICES=",
    "UCX_TLS=",          "NVSHMEM_IB_",
    "NVSHMEM_HCA_LIST=", "NVSHMEM_REMOTE_TRANSPORT=",
    "MC_GID_INDEX=",     "MC_IB_TC=",
    "MC_FORCE_TCP=",     "MC_TE_FILTERS=",
    "UCCL_IB_"};

/// Whether the variable of `NAME=value` is one of them.
bool is_kept(std::string_view assignment);

}  // namespace environments

/// A line of the kernel's log that reports a fault.
struct LogLine {
    std::uint64_t milliseconds = 0;  ///< since the host booted
    std::string kind;                ///< a name of kernel_log::kinds
    std::string text;
    bool operator==(const LogLine&) const = default;
};

/// The first and last lines of each kind since boot, as far as the kernel still has them.
using KernelLog = std::vector<LogLine>;

namespace kernel_log {

/// A kind of line, by the texts that all its lines contain.
struct Kind {
    std::string_view name{};
    std::array<std::string_view, 2> has{};  ///< both must occur; an empty one always does
};
/// The kinds of lines that are looked for. A line belongs to the first that matches.
std::span<const Kind> kinds();

/// The name of the line's kind; empty where it matches none.
std::string_view kind_of(std::string_view line);

}  // namespace kernel_log

/// A rule of nftables that names the port of RoCE v2, as far as it is understood.
struct FirewallRule {
    std::string family;  ///< ip, ip6, inet, bridge, netdev or arp
    std::string table;
    std::string chain;
    std::uint64_t handle = 0;
    std::string protocol;  ///< udp or tcp; empty: any, or not understood
    std::string verdict;   ///< accept, drop, reject, or another action's name
    std::string beside;    ///< further conditions of the rule; empty: none
    bool operator==(const FirewallRule&) const = default;
};

/// A chain that drops packets by default (its policy).
struct FirewallChain {
    std::string family;
    std::string table;
    std::string name;
    std::string hook;     ///< input, output, …
    std::string accepts;  ///< whether a rule in it may accept packets to the port: no or maybe
    bool operator==(const FirewallChain&) const = default;
};

struct Firewall {
    std::vector<FirewallRule> rules{};
    std::vector<FirewallChain> chains{};
    std::string unread{};  ///< other filters on the host, which are not read
    bool operator==(const Firewall&) const = default;
};

/// A line of a configuration file read at boot, if it concerns something that rocectl sets. Line 0
/// stands for the file itself.
struct BootLine {
    std::string file;
    std::uint32_t line = 0;
    std::string text{};
    std::string refused{};   ///< line 0: why the file could not be read
    std::uint64_t time = 0;  ///< line 0: when the file was written, in seconds since 1970
    bool operator==(const BootLine&) const = default;
};

using BootFiles = std::vector<BootLine>;

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "core/model/state.hpp"
#include "core/objects/ip/parts.hpp"
#include "core/plan/kernel.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

/// Looks at each bridge from the port's function up to the root.
void read_acs(Machine& machine, core::Port& port);

/// What /proc/driver/nvidia/gpus/PCI/information says of a GPU (NVIDIA open-gpu-kernel-modules
/// 595.45.04, kernel-open/nvidia/nv-procfs.c nv_procfs_read_gpu_info).
struct GpuInformation {
    std::string model{};
    std::string minor{};  ///< of its device file; empty: not said
    bool operator==(const GpuInformation&) const = default;
};
GpuInformation decode_gpu_information(std::string_view text);

/// MiB of the largest memory region of a PCI function, by the text of its file `resource`, a line
/// each: first and last address and flags (drivers/pci/pci-sysfs.c resource_show, Linux 7.3). The
/// first six lines are its BARs. 0 where there is none of a whole MiB.
std::uint64_t largest_region(std::string_view resource);

/// Reads the GPUs on the PCI bus, and the bridges above them and above RDMA devices.
void read_gpus(Machine& machine, const Names& names, core::Port& itself);

/// Which flavour NVIDIA's driver is of, by /proc/driver/nvidia/version: the open one alone calls
/// itself Open Kernel Module there (NVIDIA open-gpu-kernel-modules 595.45.04, src/nvidia/Makefile
/// NVIDIA_NVID_EXTRA).
std::string_view flavour_in_version(std::string_view text);

/// Of a kernel's configuration file the options of gpu_direct::kKernelOptions: what it does not
/// name or says is not set is n (Documentation/kbuild/kconfig.rst).
core::GpuDirect::Options kernel_options_in(std::string_view text);

/// Whether a driver of GPUs is loaded. Where none is, none of their memory reaches a NIC.
bool has_gpu_driver(const Machine& machine);

/// Reads what of the kernel gives NICs the memory of GPUs: two files are looked for where no driver
/// of GPUs is loaded.
void read_gpu_direct(Machine& machine, const Names& names, core::Port& itself);

/// The directory of the port's RDMA device. Throws KernelError (ENODEV) where the port has no such
/// device.
HostPath cm_folder(const Machine& machine, const core::Port& port);
/// Whether configfs is there and rdma_cm is not in it, so that nobody can make a directory.
bool module_is_missing(const Machine& machine);
/// Whether configfs is mounted here: elsewhere it may be, with directories in it. A captured tree
/// is what it is.
bool sees_configfs(const Machine& machine);

/// Makes the directory, mounting configfs where need be, or removes it.
void write_cm_directory(Machine& machine, const core::Port& now, const core::Port& then);

/// Removes the directory of the port's device, if any: it outlives the device, and then reads
/// ENODEV for ever.
void remove_cm_directory(Machine& machine, const core::Port& port);

/// Removes the directory of the port's device, mounting configfs where need be, and says whether it
/// was there; `make_cm_directory` makes it for a device of another name. Throws KernelError where
/// it cannot be removed.
bool take_cm_directory(Machine& machine, const core::Port& port);

void make_cm_directory(Machine& machine, const core::Port& port);

/// rdma_cm's directory of each port's RDMA device and, where it exists, the defaults in it. They
/// are the first port's: the state knows one port a device.
void read_rdma_cm(Machine& machine, const core::Scope& scope, core::State& state);

void write_cm_defaults(Machine& machine, const core::Port& now, const core::Port& then);

/// Congestion control of each port by the first of its driver's back ends that is there; unknown
/// where the directory in which it could be read has to be made first.
void read_ecn(Machine& machine, const core::Scope& scope, core::State& state);
void write_ecn_directory(Machine& machine, const core::Port& now, const core::Port& then);
void write_ecn(Machine& machine, const core::Port& now, const core::Port& then);

/// Removes the device's directory, and says whether it was there; `make_ecn_directory` makes
/// it for a device of another name.
bool take_ecn_directory(Machine& machine, const core::Port& port);
void make_ecn_directory(Machine& machine, const core::Port& port);

/// The cpufreq governor of every policy.
void read_governor(Machine& machine, const Names& names, core::Port& itself);
void write_governor(Machine& machine, const core::Port& now, const core::Port& then);

/// How many huge pages the named pools hold, or all of them.
void read_hugepages(Machine& machine, const Names& names, core::Port& itself);
void write_hugepages(Machine& machine, const core::Port& now, const core::Port& then);

/// Affinity of the interrupts under device/msi_irqs of the port (Documentation/ABI/testing/
/// sysfs-bus-pci), from /proc/irq; of a virtio port, of the PCI function below it.
void read_interrupts(Machine& machine, core::Port& port);
/// Writes those that differ. The kernel refuses one that it manages itself with EIO
/// (kernel/irq/proc.c write_irq_affinity).
void write_interrupts(Machine& machine, const core::Port& now, const core::Port& then);

/// What a link of RTM_GETLINK says of its files; nothing of what they may say otherwise. The
/// numbers are in the order of core::kJointFiles (IFLA_INET_CONF, net/ipv4/devinet.c
/// inet_fill_link_af, and IFLA_INET6_ADDR_GEN_MODE).
struct IpConf {
    std::optional<std::array<std::int32_t, core::kJointFiles.size()>> ipv4{};
    std::optional<std::uint8_t> addr_gen_mode{};
    bool operator==(const IpConf&) const = default;
};
IpConf decode_ip_conf(Bytes payload);

/// Each port's files under /proc/sys/net/ipv4/conf and, once for all of them, the host's, and
/// those under /proc/sys/net/ipv6/conf; a kernel without IPv6 on the port is EOPNOTSUPP. Of all
/// ports of a host a dump of the links says the same.
void read_ip_conf(Machine& machine, const core::Scope& scope, core::State& state);
/// What of these objects the kernel gives a port that is made now.
void read_ip_of_new(Machine& machine, const core::Objects& objects, core::Port& port);
void write_ipv4(Machine& machine, const core::Port& now, const core::Port& then);
void write_ipv6(Machine& machine, const core::Port& now, const core::Port& then);

/// /sys/bus/pci/devices/ADDRESS/config; a port without a PCI address has nothing.
void read_pcie(Machine& machine, core::Port& port);
/// Changes the differing bits of the register, as it reads at that moment.
void write_pcie(Machine& machine, const core::Port& now, const core::Port& then);

/// Fills what the kernel tells of the port's PCI Express link; leaves a port alone that is no PCI
/// Express function.
void read_pcie_link(Machine& machine, core::Port& port);

/// Reads nothing for a port that is no PCI Express function. A bridge that is no such function, or
/// has no AER, is present without those values.
void read_pcie_path(Machine& machine, core::Port& port);

/// Reads the named parameters, or those of net.core, net.ipv4 and vm. One that does not exist is
/// left out.
void read_sysctl(Machine& machine, const Names& names, core::Port& itself);
void write_sysctl(Machine& machine, const core::Port& now, const core::Port& then);

/// The traffic class that the vendor's driver forces on every connection of the RDMA device; the
/// kernel's driver has none.
void read_traffic_class(Machine& machine, core::Port& port);
void write_traffic_class(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink

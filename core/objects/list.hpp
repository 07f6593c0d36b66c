// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/objects/dcb/parts.hpp"
#include "core/objects/host/parts.hpp"
#include "core/objects/ip/parts.hpp"
#include "core/objects/link/parts.hpp"
#include "core/objects/rdma/parts.hpp"

// The list of objects, in the order in which a plan prefers to write them: the one place that names
// each of them. A line gives the object's name, which is also the name of its member of Port and
// of the namespace that holds its row, and what the member holds:
//   object(NAME, PART)             std::optional<PART>
//   listed(NAME, ELEMENT, BEYOND)  elements, and beside them what no setting can describe
//   shares(NAME, OTHER)            no member of its own: it is a setting of OTHER's
// It is a macro, since C++20 has no other way to make enumerators, members and a table of one list.
// clang-format off
#define CORE_OBJECTS(object, listed, shares)        \
    object(modules, Modules)                        \
    object(rdma_system, std::string)                \
    object(hugepages, HugePages)                    \
    object(sysctl, Sysctl)                          \
    object(governor, Governors)                     \
    object(irqbalance, bool)                        \
    object(tuned, std::string)                      \
    object(memlock, Memlock)                        \
    object(nccl, Nccl)                              \
    object(ucx, Ucx)                                \
    object(rdma_software, RdmaSoftware)             \
    object(gpus, Gpus)                              \
    object(gpu_direct, GpuDirect)                   \
    object(processes, Processes)                    \
    object(environments, Environments)              \
    object(kernel_log, KernelLog)                   \
    object(firewall, Firewall)                      \
    object(boot_files, BootFiles)                   \
    object(device, Device)                          \
    object(owners, Owners)                          \
    object(devlink, EnableRoce)                     \
    object(vf, VirtualFunctions)                    \
    object(bond, Bond)                              \
    object(vlan, Vlan)                              \
    object(ipv4, Ipv4)                              \
    object(ipv6, Ipv6)                              \
    object(private_flags, Flags)                    \
    object(ring, Ring)                              \
    object(channels, Channels)                      \
    object(coalesce, Coalesce)                      \
    object(features, Features)                      \
    object(dcbx, Dcbx)                              \
    object(link, Link)                              \
    object(bond_members, BondMembers)               \
    object(link_modes, LinkModes)                   \
    object(fec, Fec)                                \
    object(speed, std::uint32_t)                    \
    object(link_state, LinkState)                   \
    object(transceiver, Transceiver)                \
    object(statistics, Statistics)                  \
    object(pause, Pause)                            \
    object(ets, Ets)                                \
    object(maxrate, MaxRate)                        \
    object(pfc, Pfc)                                \
    object(peer, Peer)                              \
    object(storm_prevention, StormPrevention)       \
    object(buffer, Buffer)                          \
    object(app, App)                                \
    object(rewrite, Rewrite)                        \
    object(ecn_directory, bool)                     \
    object(ecn, Ecn)                                \
    object(rdma_link, RdmaLink)                     \
    shares(rdma_name, rdma_link)                    \
    object(rdma_port, RdmaPort)                     \
    object(active_mtu, ActiveMtu)                   \
    object(dmabuf, std::string)                     \
    object(queue_pairs, QueuePairs)                 \
    object(rdma_counters, Counters)                 \
    object(rdma_moderation, bool)                   \
    object(cm_directory, bool)                      \
    object(cm_defaults, CmDefaults)                 \
    object(traffic_class, TrafficClass)             \
    listed(addresses, Address, AddressBeyond)       \
    listed(routes, Route, RouteBeyond)              \
    listed(neighbours, Neighbour, NeighbourBeyond)  \
    object(pcie, Pcie)                              \
    object(pcie_link, PcieLink)                     \
    object(pcie_path, PciePath)                     \
    object(reporters, Reporters)                    \
    object(reloads, Reloads)                        \
    object(versions, Versions)                      \
    object(acs, Acs)                                \
    object(parameters, Parameters)                  \
    object(fwctl, Fwctl)                            \
    object(interrupts, Interrupts)                  \
    listed(rules, Rule, RuleBeyond)
// clang-format on

namespace core {

/// What one exchange with the kernel reads or one step writes as a whole. The order is the one in
/// which a plan prefers to write.
enum class Object : std::uint8_t {
#define CORE_NAME(name, ...) name,
    CORE_OBJECTS(CORE_NAME, CORE_NAME, CORE_NAME)
#undef CORE_NAME
};

inline constexpr std::size_t kObjectCount = 0
#define CORE_ONE(...) +1
    CORE_OBJECTS(CORE_ONE, CORE_ONE, CORE_ONE)
#undef CORE_ONE
    ;

}  // namespace core

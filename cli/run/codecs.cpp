// SPDX-License-Identifier: Apache-2.0
#include "cli/run/codecs.hpp"

#include <linux/capability.h>

#include <array>

#include "cli/seal/capabilities.hpp"
#include "dcb/codecs.hpp"
#include "netlink/ethtool/codecs.hpp"
#include "netlink/ethtool/ethtool.hpp"
#include "netlink/files/codecs.hpp"
#include "netlink/files/pcie.hpp"
#include "netlink/fwctl/codecs.hpp"
#include "netlink/ip/codecs.hpp"
#include "netlink/link/codecs.hpp"
#include "netlink/rdma/codecs.hpp"
#include "netlink/rdma/devlink.hpp"
#include "netlink/system/codecs.hpp"
#include "verbs/active_mtu.hpp"
#include "verbs/dmabuf.hpp"

namespace cli {
namespace {

using netlink::of_drivers;
using netlink::of_host;
using netlink::of_ports;
using enum core::Object;

constexpr std::array kOfDaemons = {irqbalance, tuned};
constexpr std::array kOfRdma = {rdma_link, rdma_name, rdma_port, rdma_moderation};
constexpr std::array kOfCm = {cm_directory, cm_defaults};
constexpr std::array kOfEcn = {ecn_directory, ecn};
constexpr std::array kOfReporters = {reporters, reloads, versions};
constexpr std::array kOfIpConf = {ipv4, ipv6};
constexpr std::array kOfLinkModes = {speed, link_modes};

/// A process's environment is its owner's file, and shown to who may trace the process.
constexpr Capabilities kOtherProcesses = only(CAP_SYS_PTRACE) | only(CAP_DAC_READ_SEARCH);

// clang-format off
/// The list of codecs. One without `read` is read with the one whose `fills` names its object.
constexpr std::array kCodecs = {
    of_host<modules, netlink::read_modules>(netlink::write_modules),
    of_host<rdma_system, netlink::read_rdma_system>(netlink::write_rdma_system),
    of_host<hugepages, netlink::read_hugepages>(netlink::write_hugepages),
    of_host<sysctl, netlink::read_sysctl>(netlink::write_sysctl),
    of_host<governor, netlink::read_governor>(netlink::write_governor),
    netlink::Codec{.object = irqbalance, .fills = kOfDaemons, .read = netlink::read_daemons},
    netlink::Codec{.object = tuned},
    of_host<memlock, netlink::read_memlock>(),
    of_host<nccl, netlink::read_nccl>(netlink::write_nccl),
    of_host<ucx, netlink::read_ucx>(netlink::write_ucx),
    netlink::Codec{.object = rdma_software, .fills = netlink::kOnly<rdma_software>, .read = netlink::ask_host<rdma_software, netlink::read_rdma_software>, .opens_devices = true},
    of_host<gpus, netlink::read_gpus>(),
    of_host<gpu_direct, netlink::read_gpu_direct>(),
    of_host<processes, netlink::read_processes>(),
    netlink::Codec{.object = environments, .fills = netlink::kOnly<environments>, .read = netlink::ask_host<environments, netlink::read_environments>, .needs_rights = kOtherProcesses},
    netlink::Codec{.object = kernel_log, .fills = netlink::kOnly<kernel_log>, .read = netlink::ask_host<kernel_log, netlink::read_kernel_log>, .needs_rights = only(CAP_SYSLOG)},
    netlink::Codec{.object = firewall, .fills = netlink::kOnly<firewall>, .read = netlink::ask_host<firewall, netlink::read_firewall>, .needs_rights = only(CAP_NET_ADMIN)},
    of_host<boot_files, netlink::read_boot_files>(),
    of_ports<device, netlink::read_device>(),
    netlink::Codec{.object = owners, .fills = netlink::kOnly<owners>, .read = netlink::read_owners},
    netlink::Codec{.object = devlink, .fills = netlink::kOnly<devlink>, .read = netlink::read_devlink, .write = netlink::write_devlink},
    of_ports<vf, netlink::read_vf>(netlink::write_vf),
    netlink::Codec{.object = bond, .write = netlink::write_bond},
    netlink::Codec{.object = vlan, .write = netlink::write_vlan},
    netlink::Codec{.object = ipv4, .fills = kOfIpConf, .read = netlink::read_ip_conf, .write = netlink::write_ipv4},
    netlink::Codec{.object = ipv6, .write = netlink::write_ipv6},
    of_drivers<private_flags, netlink::read_private_flags>(netlink::write_private_flags),
    of_drivers<ring, netlink::read_ring>(netlink::write_ring),
    netlink::Codec{.object = channels, .fills = netlink::kOnly<channels>, .read = netlink::read_channels, .write = netlink::write_channels},
    of_drivers<coalesce, netlink::read_coalesce>(netlink::write_coalesce),
    netlink::Codec{.object = features, .fills = netlink::kOnly<features>, .read = netlink::read_features, .write = netlink::write_features},
    netlink::Codec{.object = link, .write = netlink::write_link},
    netlink::Codec{.object = bond_members, .write = netlink::write_bond_members},
    netlink::Codec{.object = link_modes, .fills = kOfLinkModes, .read = netlink::read_link_modes, .write = netlink::write_link_modes},
    of_drivers<fec, netlink::read_fec>(netlink::write_fec),
    netlink::Codec{.object = link_state, .fills = netlink::kOnly<link_state>, .read = netlink::read_link_state},
    netlink::Codec{.object = transceiver, .fills = netlink::kOnly<transceiver>, .read = netlink::each_driver<transceiver, netlink::read_transceiver>, .needs_rights = only(CAP_NET_ADMIN)},
    netlink::Codec{.object = statistics, .fills = netlink::kOnly<statistics>, .read = netlink::read_statistics},
    of_drivers<pause, netlink::read_pause>(netlink::write_pause),
    of_drivers<storm_prevention, netlink::read_storm_prevention>(netlink::write_storm_prevention),
    netlink::Codec{.object = rdma_link, .fills = kOfRdma, .read = netlink::read_rdma_link, .write = netlink::write_rdma_link},
    netlink::Codec{.object = rdma_name, .write = netlink::write_rdma_name},
    of_ports<queue_pairs, netlink::read_queue_pairs>(),
    of_ports<rdma_counters, netlink::read_rdma_counters>(),
    netlink::Codec{.object = rdma_moderation, .write = netlink::write_rdma_moderation},
    netlink::Codec{.object = cm_directory, .fills = kOfCm, .read = netlink::read_rdma_cm, .write = netlink::write_cm_directory},
    netlink::Codec{.object = cm_defaults, .write = netlink::write_cm_defaults},
    netlink::Codec{.object = ecn, .fills = kOfEcn, .read = netlink::read_ecn, .write = netlink::write_ecn},
    netlink::Codec{.object = ecn_directory, .write = netlink::write_ecn_directory},
    of_ports<traffic_class, netlink::read_traffic_class>(netlink::write_traffic_class),
    of_ports<pcie, netlink::read_pcie>(netlink::write_pcie),
    of_ports<pcie_link, netlink::read_pcie_link>(),
    of_ports<pcie_path, netlink::read_pcie_path>(),
    netlink::Codec{.object = reporters, .fills = kOfReporters, .read = netlink::read_reporters},
    of_ports<acs, netlink::read_acs>(),
    netlink::Codec{.object = parameters, .fills = netlink::kOnly<parameters>, .read = netlink::read_parameters},
    netlink::Codec{.object = fwctl, .fills = netlink::kOnly<fwctl>, .read = netlink::each_port<fwctl, netlink::read_fwctl>, .asks_firmware = true},
    of_ports<interrupts, netlink::read_interrupts>(netlink::write_interrupts),
    netlink::Codec{.object = addresses, .fills = netlink::kOnly<addresses>, .read = netlink::read_addresses, .write = netlink::write_addresses},
    netlink::Codec{.object = routes, .fills = netlink::kOnly<routes>, .read = netlink::read_routes, .write = netlink::write_routes},
    netlink::Codec{.object = neighbours, .fills = netlink::kOnly<neighbours>, .read = netlink::read_neighbours, .write = netlink::write_neighbours},
    of_ports<rules, netlink::read_rules>(netlink::write_rules),
    netlink::Codec{.object = ets, .fills = dcb::kOfIeee, .read = dcb::read_ieee, .write = dcb::write_ets},
    netlink::Codec{.object = maxrate, .write = dcb::write_maxrate},
    netlink::Codec{.object = pfc, .write = dcb::write_pfc},
    netlink::Codec{.object = buffer, .write = dcb::write_buffer},
    netlink::Codec{.object = app, .write = dcb::write_app},
    netlink::Codec{.object = rewrite, .write = dcb::write_rewrite},
    of_drivers<peer, dcb::read_peer>(),
    of_drivers<dcbx, dcb::read_dcbx>(dcb::write_dcbx),
    netlink::Codec{.object = active_mtu, .fills = netlink::kOnly<active_mtu>, .read = verbs::read_active_mtu, .opens_devices = true},
    netlink::Codec{.object = dmabuf, .fills = netlink::kOnly<dmabuf>, .read = verbs::read_dmabuf, .opens_devices = true},
};
// clang-format on

}  // namespace

std::span<const netlink::Codec> codecs() {
    return kCodecs;
}

}  // namespace cli

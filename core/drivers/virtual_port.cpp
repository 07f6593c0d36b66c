// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "core/drivers/families.hpp"

namespace core::virtual_port {
namespace {

/// Link::kind of what rtnetlink makes (drivers/net, net/8021q, net/bridge).
constexpr std::array<std::string_view, 19> kKinds = {
    "bond",   "bridge", "dummy", "geneve", "gre", "ifb",  "ipip", "ipvlan", "macvlan", "macvtap",
    "netkit", "nlmon",  "sit",   "team",   "tun", "veth", "vlan", "vrf",    "vxlan"};
/// What they call themselves to ethtool, of a port that does not exist yet.
constexpr std::array<std::string_view, 5> kAlso = {"bonding", "802.1Q VLAN Support", "veth",
                                                   "dummy", "bridge"};

}  // namespace

/// Ports that the kernel makes itself, and the RDMA devices on them: of a bond that of its members'
/// driver, each of which takes off 96 (mlx5, bnxt_re, hns), else soft RoCE.
constinit const Driver row = {
    .name = "virtual",
    .doc =
        "Ports of the kernel's own, known by their kind: bonds, VLANs, bridges, veth, dummy and "
        "their like. They have no DCB; that of a bond is its members', that of a VLAN its "
        "parent's.",
    .devices = "bonds, VLANs, bridges, veth, dummy and their like",
    .folder = "drivers/net",
    .read_in = "Linux 6.12.117 and 7.3.4",
    .also = kAlso,
    .kinds = kKinds,
    .of_many_devices = true,
    .ets = {.shares_checked = false},
    .rewrite = {.obeyed = true}};

}  // namespace core::virtual_port

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace core {

/// What makes a port a bond, in the kernel's words (drivers/net/bonding/bond_options.c).
struct Bond {
    std::string mode{};  ///< empty: the port is none, or is not there
    std::string xmit_hash_policy{};
    std::string lacp_rate{};
    std::uint32_t miimon = 0;        ///< ms; 0: members are not watched by their links
    std::uint32_t arp_interval = 0;  ///< ms; 0: nor by what answers to ARP
    bool operator==(const Bond&) const = default;
};

}  // namespace core

namespace core::bond {

/// Each at the number by which the kernel knows it (include/uapi/linux/if_bonding.h).
inline constexpr std::array<std::string_view, 7> kModes = {
    "balance-rr", "active-backup", "balance-xor", "broadcast",
    "802.3ad",    "balance-tlb",   "balance-alb"};
inline constexpr std::array<std::string_view, 6> kHashPolicies = {
    "layer2", "layer3+4", "layer2+3", "encap2+3", "encap3+4", "vlan+srcmac"};
inline constexpr std::array<std::string_view, 2> kLacpRates = {"slow", "fast"};
/// The mode that speaks LACP with the switch (IEEE 802.1AX).
inline constexpr std::string_view kLacp = "802.3ad";

/// Whether the kernel makes the change only of a bond without members, or of one that is down
/// (bond_options.c BOND_OPTFLAG_NOSLAVES and BOND_OPTFLAG_IFDOWN): then it is taken apart for it.
bool needs_no_members(const Bond& now, const Bond& then);
bool needs_down(const Bond& now, const Bond& then);
/// Whether both ends choose a member for each packet: the switch may then answer to another port
/// than the one whose RDMA device asked, which has no such queue pair. In the other modes one
/// member has all.
[[nodiscard]] inline bool spreads(const Bond& bond) {
    return bond.mode == "balance-xor" || bond.mode == kLacp;
}
/// Whether the bond leaves a member that lost its link (drivers/net/bonding/bond_main.c
/// bond_open starts a monitor only where one of the two intervals is not 0).
[[nodiscard]] inline bool watches_members(const Bond& bond) {
    return bond.miimon != 0 || bond.arp_interval != 0;
}

}  // namespace core::bond

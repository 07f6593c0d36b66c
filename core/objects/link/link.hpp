// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace core {

struct Port;
struct Refusal;
struct State;

/// What a network interface is, as the kernel tells of any (rtnetlink(7), RTM_GETLINK).
struct Link {
    std::uint32_t index = 0;
    std::string mac{};
    std::string permanent_mac{};  ///< the device's own; empty where it is not told
    std::string pci{};            ///< PCI address of the parent device, empty where there is none
    std::string function{};       ///< of a NIC: pf, vf, sf or rep; empty where it is none of them
    std::string kind{};           ///< rtnetlink kind (vlan, veth, bond), empty for a physical port
    std::string master{};         ///< the bond or bridge above
    std::string master_kind{};
    std::string lower{};  ///< the device below, for a VLAN
    std::optional<std::uint16_t> vlan{};
    bool up = false;
    bool carrier = false;
    std::uint32_t mtu = 0;
    std::uint32_t mtu_min = 0;  ///< 0 where the kernel does not say
    std::uint32_t mtu_max = 0;
    std::uint32_t carrier_up_count = 0;
    std::uint32_t carrier_down_count = 0;
    bool operator==(const Link&) const = default;
};

}  // namespace core

namespace core::link {

/// Below this MTU the kernel takes IPv6 off a device (IPV6_MIN_MTU, net/ipv6/addrconf.c).
inline constexpr std::uint32_t kIpv6Minimum = 1280;
/// The bond that the port is a member of; empty where it is of none.
std::string bond_of(const Port& port);
/// The members of the bond, as far as they are in the state.
std::vector<std::string> members_of(const State& state, const std::string& bond);
/// Removes what closing and opening the port loses, and adds what the kernel brings back.
void reopen(Port& port);
/// Takes the port up or down, with what that brings and costs.
void open(Port& port, bool up);
/// Gives the port the MTU, with what follows from it.
void resize(Port& port, std::uint32_t mtu);
/// Gives a port that is up the carrier of the device below it.
void follow(Port& port, const Port& lower);
/// Lets the VLANs on the port, and the VLANs on these, follow what changed from `before` to `now`;
/// gives back those that changed, as they were.
std::vector<Port> carry_along(State& state, const Port& before, const Port& now);
/// Gives the bond, and the VLANs on it, the carrier that its members give it; gives back the VLANs
/// that changed, as they were.
std::vector<Port> follow_members(State& state, Port& bond);
/// Why the driver does not take the MTU.
std::optional<Refusal> out_of_range(const Link& link, std::uint32_t mtu);

}  // namespace core::link

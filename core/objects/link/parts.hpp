// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/cpus.hpp"

namespace core {

struct Driver;
struct Port;
struct Refusal;
struct State;

struct Device {
    std::string driver;
    std::string firmware;
    bool operator==(const Device&) const = default;
};

/// Programs that manage the port too, and how that was seen: `NetworkManager` to the path of its
/// connection profile.
using Owners = std::map<std::string, std::string, std::less<>>;

/// What the physical function's driver keeps for one virtual function (net/core/rtnetlink.c
/// rtnl_fill_vfinfo); nothing is what it does not tell.
struct VirtualFunction {
    std::optional<std::string> mac{};
    std::optional<std::string> node_guid{};
    std::optional<std::uint16_t> vlan{};
    std::optional<std::uint8_t> qos{};
    std::optional<std::string> protocol{};
    std::optional<std::uint32_t> min_tx_rate{};  ///< Mbit/s
    std::optional<std::uint32_t> max_tx_rate{};  ///< Mbit/s
    std::optional<bool> spoofchk{};
    std::optional<bool> trust{};
    std::optional<std::string> state{};
    bool operator==(const VirtualFunction&) const = default;
};

/// A virtual function as a device of this host.
struct VirtualDevice {
    std::uint32_t function = 0;
    std::string pci{};
    std::string driver{};  ///< empty: none
    std::string port{};    ///< its network port here; empty: none
    bool operator==(const VirtualDevice&) const = default;
};

/// The virtual functions of a port's device.
struct VirtualFunctions {
    std::uint32_t count = 0;
    std::optional<std::uint32_t> limit{};  ///< how many the device can have
    bool node_guids = false;               ///< the driver has a file for each node GUID
    std::map<std::uint32_t, VirtualFunction> functions{};
    std::vector<VirtualDevice> devices{};  ///< as many as are on this host's bus
    std::set<std::string> in_use{};        ///< PCI addresses of those with a port that is up, or
                                           ///< that is not in this namespace
    bool operator==(const VirtualFunctions&) const = default;
};

namespace vf {

/// The number of a virtual function as a profile names it; nothing where the text is none.
std::optional<std::uint32_t> parse_function(std::string_view name);
/// Whether the kernel takes all virtual functions away for the change, to make others.
bool starts_anew(const VirtualFunctions& now, const VirtualFunctions& then);

}  // namespace vf

/// What makes a port a bond, in the kernel's words (drivers/net/bonding/bond_options.c).
struct Bond {
    std::string mode{};  ///< empty: the port is none, or is not there
    std::string xmit_hash_policy{};
    std::string lacp_rate{};
    std::uint32_t miimon = 0;        ///< ms; 0: members are not watched by their links
    std::uint32_t arp_interval = 0;  ///< ms; 0: nor by what answers to ARP
    bool operator==(const Bond&) const = default;
};

namespace bond {

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

}  // namespace bond

/// What makes a port the VLAN child of another one.
struct Vlan {
    std::string parent{};  ///< empty: the port is none, or is not there
    std::uint16_t id = 0;
    std::map<std::uint32_t, std::uint8_t> egress{};   ///< PCP of each packet priority, 0 left out
    std::map<std::uint8_t, std::uint32_t> ingress{};  ///< packet priority of each PCP, 0 left out
    bool operator==(const Vlan&) const = default;
};

/// What a device names and can turn on and off.
using Flags = std::map<std::string, bool, std::less<>>;

/// Descriptors in each receive and transmit ring; nothing where the driver has no such ring.
struct Ring {
    std::optional<std::uint32_t> rx{};
    std::optional<std::uint32_t> tx{};
    std::uint32_t rx_max = 0;
    std::uint32_t tx_max = 0;
    bool operator==(const Ring&) const = default;
};

/// How many queues the port has; nothing where the driver has none of the kind.
struct Channels {
    std::optional<std::uint32_t> combined{};  ///< receive and transmit on one interrupt
    std::optional<std::uint32_t> rx{};        ///< that only receive
    std::optional<std::uint32_t> tx{};
    std::uint32_t combined_max = 0;
    std::uint32_t rx_max = 0;
    std::uint32_t tx_max = 0;
    bool operator==(const Channels&) const = default;
};

/// When the port interrupts for what it received, or for what it sent; nothing where the driver
/// has no such choice.
struct Coalescing {
    std::optional<bool> adaptive{};  ///< the driver chooses the numbers
    std::optional<bool> cqe{};       ///< the time starts again with every packet
    std::optional<std::uint32_t> usecs{};
    std::optional<std::uint32_t> frames{};
    std::optional<std::uint32_t> idle_usecs{};  ///< told while the driver chooses: not in force
    std::optional<std::uint32_t> idle_frames{};
    bool operator==(const Coalescing&) const = default;
};

struct Coalesce {
    Coalescing rx{};
    Coalescing tx{};
    bool operator==(const Coalesce&) const = default;
};

/// What the device does for the kernel, by the kernel's names (netdev_features_strings).
struct Features {
    Flags active;
    std::set<std::string> fixed;  ///< cannot be changed
    Flags requested;              ///< asked for by somebody, where it is not what is active
    bool operator==(const Features&) const = default;
};

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

namespace link {

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
/// Gives the bond, and the VLANs on it, the carrier that its members give it; gives back the VLANs
/// that changed, as they were.
std::vector<Port> follow_members(State& state, Port& bond);
/// Why the driver does not take the MTU.
std::optional<Refusal> out_of_range(const Link& link, std::uint32_t mtu);

}  // namespace link

/// The names of the ports that a bond is made of.
using BondMembers = std::set<std::string>;

namespace bond_members {

/// Takes all members off the bond; gives them back as they were.
std::vector<Port> release_all(State& state, const Port& bond);
/// Takes them off and puts them on again, for what needs a bond without members.
std::vector<Port> rejoin(State& state, Port& bond);

}  // namespace bond_members

/// How the port comes to a speed with the other end (LINKMODES of net/ethtool/linkmodes.c).
struct LinkModes {
    bool autoneg = false;
    /// Forced, or where the port negotiates, what all modes have in common that it offers.
    std::optional<std::uint32_t> speed{};  ///< Mb/s
    std::optional<std::uint32_t> lanes{};
    std::string duplex{};         ///< full or half; empty: none
    Flags offered{};              ///< every link mode of the port, and whether it offers it
    std::set<std::string> fec{};  ///< that the port has, as words of link.fec; empty: not told
    bool can_negotiate = false;
    bool operator==(const LinkModes&) const = default;
};

namespace link_modes {

/// What to tell the port one after the other: while it forces a speed, what it offers cannot be
/// set, so another offer goes first.
std::vector<LinkModes> edits(const Driver& driver, const LinkModes& now, const LinkModes& then);

}  // namespace link_modes

/// What the name of a link mode says: 100000baseCR4/Full is 100000 Mb/s over four lanes
/// (link_mode_names and link_mode_params in net/ethtool/common.c).
struct LinkMode {
    std::uint32_t speed = 0;  ///< Mb/s
    std::uint32_t lanes = 1;
    bool full = true;
    bool operator==(const LinkMode&) const = default;
};

/// Nothing where the name is of something else (Autoneg, Pause, FIBRE, RS).
std::optional<LinkMode> link_mode(std::string_view name);

/// What all modes have in common that are offered; nothing where they differ, or none is.
struct CommonMode {
    std::optional<std::uint32_t> speed{};
    std::optional<std::uint32_t> lanes{};
    std::string duplex{};
    bool operator==(const CommonMode&) const = default;
};
CommonMode common_mode(const Flags& offered);

/// What to offer to get from one to the other: what is named; else what is offered now, where it
/// has what is stated in common; else every mode that agrees with what is stated, as the kernel
/// does (ethnl_auto_linkmodes in net/ethtool/linkmodes.c).
Flags modes_to_offer(const LinkModes& now, const LinkModes& then);

/// Forward error correction, as words of link.fec.
struct Fec {
    static constexpr std::string_view automatic = "auto";
    std::string mode{};    ///< asked for; empty: more than one
    std::string active{};  ///< in use; empty: the driver does not tell
    bool operator==(const Fec&) const = default;
};

namespace speed {

/// The speed of the link in Mb/s; nothing where it was not read, or there is no link (0, or
/// SPEED_UNKNOWN of include/uapi/linux/ethtool.h).
std::optional<std::uint32_t> known(const Port& port);

}  // namespace speed

/// What the device knows of its link beside whether there is one.
struct LinkState {
    std::string reason{};                   ///< why there is none; empty where it does not say
    std::string detail{};                   ///< and more closely
    std::optional<std::uint32_t> losses{};  ///< how often the device itself saw it go
    bool operator==(const LinkState&) const = default;
};

namespace link_state {

/// The words for an ETHTOOL_LINK_EXT_STATE_* and, where there are any, for its substate
/// (include/uapi/linux/ethtool.h).
std::string reason_word(unsigned state);
std::string detail_word(unsigned state, unsigned substate);

}  // namespace link_state

/// Where a reading of a module stands among the limits that its maker gave it.
enum class Level : std::uint8_t {
    normal,
    low_warning,
    high_warning,
    low_alarm,
    high_alarm,
    raised,  ///< a signal that is either there or not, such as a fault
};

/// One thing that a module tells of itself or of one of its lanes.
struct ModuleReading {
    std::string what{};             ///< `rx_power`, `rx_los`
    std::uint8_t lane = 0;          ///< from 1 on; 0: of the whole module
    std::string value{};            ///< `-2.31 dBm`; empty where it is a signal
    Level level = Level::normal;    ///< as it is now
    Level latched = Level::normal;  ///< what happened since anybody read it last
    bool operator==(const ModuleReading&) const = default;
};

/// What is plugged into the port's cage: a module or a cable.
struct Transceiver {
    std::string type{};  ///< `QSFP28`
    std::string vendor{};
    std::string part{};
    std::vector<ModuleReading> readings{};
    bool operator==(const Transceiver&) const = default;
};

namespace transceiver {

/// `low_alarm`, as a state says it.
std::string_view word(Level level);
Level level_of(std::string_view word);

/// `rx_power lane 2`, its identity.
std::string name_of(const ModuleReading& reading);

}  // namespace transceiver

/// What the port's driver counts, by its own names, those of single queues left out: what each
/// means is in core/drivers/counters.cpp.
using Statistics = std::map<std::string, std::uint64_t, std::less<>>;

struct Pause {
    bool rx = false;
    bool tx = false;
    bool autoneg = false;
    bool operator==(const Pause&) const = default;
};

/// What the Device Control register of the port's PCI Express function holds (PCI Express Base
/// Specification 7.5.3.4; include/uapi/linux/pci_regs.h).
struct Pcie {
    std::uint32_t read_request = 0;  ///< Max_Read_Request_Size, bytes
    std::uint32_t payload = 0;       ///< Max_Payload_Size, bytes
    bool relaxed_ordering = false;
    bool operator==(const Pcie&) const = default;
};

/// How the port's PCI Express function is connected to memory, as sysfs tells it (Documentation/
/// ABI/testing/sysfs-bus-pci, sysfs-kernel-iommu_groups).
struct PcieLink {
    std::string speed;        ///< 32.0 GT/s PCIe
    std::uint32_t width = 0;  ///< lanes
    std::string max_speed;    ///< what the device could do
    std::uint32_t max_width = 0;
    std::string iommu;  ///< identity, DMA, DMA-FQ; off where no IOMMU stands before the device
    bool operator==(const PcieLink&) const = default;
};

/// A PCI Express function between the port and the processor, the port's own first, as sysfs tells
/// it (Documentation/ABI/testing/sysfs-bus-pci, sysfs-bus-pci-devices-aer_stats).
struct PcieHop {
    std::string pci{};
    std::uint32_t hops = 0;  ///< from the port's own function, which has 0
    std::string speed{};     ///< of a lane of its link towards the port: 32.0 GT/s PCIe
    std::uint32_t width = 0;
    std::string max_speed{};
    std::uint32_t max_width = 0;
    /// Errors that it was reported of or saw since the host was started (AER); nothing where they
    /// are not counted.
    std::optional<std::uint64_t> correctable{};
    std::optional<std::uint64_t> nonfatal{};
    std::optional<std::uint64_t> fatal{};
    bool operator==(const PcieHop&) const = default;
};

/// From the port upwards.
using PciePath = std::vector<PcieHop>;

/// What watches over a part of the port's device for its driver (devlink-health(8)).
struct Reporter {
    std::string name{};
    bool healthy = true;
    std::uint64_t errors = 0;     ///< that it saw since the driver was loaded
    std::uint64_t recovered = 0;  ///< after how many of them the part was put right
    bool operator==(const Reporter&) const = default;
};

using Reporters = std::vector<Reporter>;

/// How often devlink reloaded the port's device since its driver was loaded, by the kernel's word
/// for the action (devlink-dev(8)): `driver_reinit`, `fw_activate`, and with `remote` before it
/// what was for another function or host of the same card.
using Reloads = std::map<std::string, std::uint64_t>;

namespace reloads {

inline constexpr std::string_view kRemote = "remote ";

}  // namespace reloads

/// Versions of the parts of the port's device by devlink's names, after `fixed`, `running` or
/// `stored`: `running fw.version`.
using Versions = std::map<std::string, std::string, std::less<>>;

namespace versions {

inline constexpr std::string_view kFixed = "fixed ";
inline constexpr std::string_view kRunning = "running ";
inline constexpr std::string_view kStored = "stored ";

}  // namespace versions

/// Which bridges between the port's PCI Express function and memory send what one device writes to
/// another up to the root: Access Control Services (PCI Express Base Specification 7.7.11).
struct Acs {
    bool redirects = false;           ///< one of them does
    std::set<std::string> bridges{};  ///< PCI addresses of those that do
    bool operator==(const Acs&) const = default;
};

/// The message-signalled interrupts of the port's device.
struct Interrupts {
    Cpus local{};                         ///< CPUs of the device's NUMA node
    std::map<unsigned, Cpus> affinity{};  ///< of each interrupt: where it may be handled
    std::map<unsigned, Cpus> hints{};     ///< where the driver asks that it be handled
    bool operator==(const Interrupts&) const = default;
};

}  // namespace core

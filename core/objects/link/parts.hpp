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
    /// PCI vendor and device as 8086:1592, where the driver's devices are told apart by it.
    std::string pci_id{};
    bool operator==(const Device&) const = default;
};

/// Other programs that manage the port, with the evidence: `NetworkManager` to the path of its
/// connection profile.
using Owners = std::map<std::string, std::string, std::less<>>;

/// What the physical function's driver holds for one virtual function (net/core/rtnetlink.c
/// rtnl_fill_vfinfo). Members without a value are not reported.
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

/// A virtual function as a PCI device of this host.
struct VirtualDevice {
    std::uint32_t function = 0;
    std::string pci{};
    std::string driver{};  ///< empty: not bound
    std::string port{};    ///< its network port here; empty: none
    bool operator==(const VirtualDevice&) const = default;
};

/// The virtual functions of a port's device.
struct VirtualFunctions {
    std::uint32_t count = 0;
    std::optional<std::uint32_t> limit{};  ///< how many the device supports
    bool node_guids = false;               ///< the driver has a sysfs file for each node GUID
    std::map<std::uint32_t, VirtualFunction> functions{};
    std::vector<VirtualDevice> devices{};  ///< those on this host's PCI bus
    /// PCI addresses of functions whose port is up or is in another network namespace.
    std::set<std::string> in_use{};
    bool operator==(const VirtualFunctions&) const = default;
};

namespace vf {

/// The number in a profile's name for a virtual function; nothing where the text is no such name.
std::optional<std::uint32_t> parse_function(std::string_view name);
/// Whether the change makes the kernel delete all virtual functions and create new ones.
bool starts_anew(const VirtualFunctions& now, const VirtualFunctions& then);

}  // namespace vf

/// A bond's settings, in the kernel's words (drivers/net/bonding/bond_options.c).
struct Bond {
    std::string mode{};  ///< empty: the port is no bond, or does not exist
    std::string xmit_hash_policy{};
    std::string lacp_rate{};
    std::uint32_t miimon = 0;        ///< ms between checks of the members' links; 0: off
    std::uint32_t arp_interval = 0;  ///< ms between ARP checks of the members; 0: off
    bool operator==(const Bond&) const = default;
};

namespace bond {

/// At the index that is the kernel's number (include/uapi/linux/if_bonding.h).
inline constexpr std::array<std::string_view, 7> kModes = {
    "balance-rr", "active-backup", "balance-xor", "broadcast",
    "802.3ad",    "balance-tlb",   "balance-alb"};
inline constexpr std::array<std::string_view, 6> kHashPolicies = {
    "layer2", "layer3+4", "layer2+3", "encap2+3", "encap3+4", "vlan+srcmac"};
inline constexpr std::array<std::string_view, 2> kLacpRates = {"slow", "fast"};
/// The mode that speaks LACP with the switch (IEEE 802.1AX).
inline constexpr std::string_view kLacp = "802.3ad";

/// Whether the kernel accepts the change only for a bond without members, or one that is down
/// (bond_options.c BOND_OPTFLAG_NOSLAVES and BOND_OPTFLAG_IFDOWN). rocectl then takes the members
/// off, or the bond down, for the write.
bool needs_no_members(const Bond& now, const Bond& then);
bool needs_down(const Bond& now, const Bond& then);
/// Whether both ends choose a member per packet. The switch may then answer to another port than
/// the one whose RDMA device asked, which does not have the queue pair. In the other modes one
/// member gets everything.
[[nodiscard]] inline bool spreads(const Bond& bond) {
    return bond.mode == "balance-xor" || bond.mode == kLacp;
}
/// Whether the bond stops using a member whose link is lost (drivers/net/bonding/bond_main.c
/// bond_open starts a monitor only where one of the two intervals is not 0).
[[nodiscard]] inline bool watches_members(const Bond& bond) {
    return bond.miimon != 0 || bond.arp_interval != 0;
}

}  // namespace bond

/// What makes a port a VLAN child.
struct Vlan {
    std::string parent{};  ///< empty: the port is no VLAN, or does not exist
    std::uint16_t id = 0;
    std::map<std::uint32_t, std::uint8_t> egress{};   ///< packet priority to PCP; 0 left out
    std::map<std::uint8_t, std::uint32_t> ingress{};  ///< PCP to packet priority; 0 left out
    bool operator==(const Vlan&) const = default;
};

/// Named features of a device that can be on or off.
using Flags = std::map<std::string, bool, std::less<>>;

/// Descriptors per receive and transmit ring; nothing where the driver has no such ring.
struct Ring {
    std::optional<std::uint32_t> rx{};
    std::optional<std::uint32_t> tx{};
    std::uint32_t rx_max = 0;
    std::uint32_t tx_max = 0;
    bool operator==(const Ring&) const = default;
};

/// Number of queues by kind; nothing where the driver lacks the kind.
struct Channels {
    std::optional<std::uint32_t> combined{};  ///< receive and transmit queue on one interrupt
    std::optional<std::uint32_t> rx{};        ///< receive only
    std::optional<std::uint32_t> tx{};
    std::uint32_t combined_max = 0;
    std::uint32_t rx_max = 0;
    std::uint32_t tx_max = 0;
    bool operator==(const Channels&) const = default;
};

/// When the port interrupts for packets received, or sent; nothing where the driver cannot set it.
struct Coalescing {
    std::optional<bool> adaptive{};  ///< the driver adapts the numbers itself
    std::optional<bool> cqe{};       ///< the timer restarts with every packet
    std::optional<std::uint32_t> usecs{};
    std::optional<std::uint32_t> frames{};
    /// Reported while adaptive is on, when it is not in force.
    std::optional<std::uint32_t> idle_usecs{};
    std::optional<std::uint32_t> idle_frames{};
    bool operator==(const Coalescing&) const = default;
};

struct Coalesce {
    Coalescing rx{};
    Coalescing tx{};
    bool operator==(const Coalesce&) const = default;
};

/// Offloads, by the kernel's names (netdev_features_strings).
struct Features {
    Flags active;
    std::set<std::string> fixed;  ///< cannot be changed
    Flags requested;              ///< requested, where that differs from what is active
    bool operator==(const Features&) const = default;
};

/// A network interface, as rtnetlink describes any (rtnetlink(7), RTM_GETLINK).
struct Link {
    std::uint32_t index = 0;
    std::string mac{};
    std::string permanent_mac{};  ///< burnt-in MAC address; empty where not reported
    std::string pci{};            ///< PCI address of the parent device; empty without one
    std::string function{};       ///< of a NIC: pf, vf, sf or rep; empty: none of them
    std::string kind{};           ///< rtnetlink kind (vlan, veth, bond); empty for a physical port
    std::string master{};         ///< the bond or bridge it belongs to
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

/// With a smaller MTU the kernel removes IPv6 from a device (IPV6_MIN_MTU, net/ipv6/addrconf.c).
inline constexpr std::uint32_t kIpv6Minimum = 1280;
/// The bond that the port is a member of; empty without one.
std::string bond_of(const Port& port);
/// The bond's members that are in the state.
std::vector<std::string> members_of(const State& state, const std::string& bond);
/// Removes what closing and opening the port loses, and adds what the kernel creates again.
void reopen(Port& port);
/// Sets the port up or down, with everything that gains or loses.
void open(Port& port, bool up);
/// Removes the port's IPv6 addresses, routes and neighbours.
void lose_ipv6(Port& port);
/// Sets the MTU and what follows from it.
void resize(Port& port, std::uint32_t mtu);
/// Sets the carrier of the bond and the VLANs on it by its members' carrier. Returns the VLANs that
/// changed, as they were.
std::vector<Port> follow_members(State& state, Port& bond);
/// The driver's refusal of the MTU; nothing where it accepts it.
std::optional<Refusal> out_of_range(const Link& link, std::uint32_t mtu);

}  // namespace link

/// Names of the bond's member ports.
using BondMembers = std::set<std::string>;

namespace bond_members {

/// Removes all members from the bond. Returns them as they were.
std::vector<Port> release_all(State& state, const Port& bond);
/// Removes all members and adds them again, for changes that need a bond without members. Returns
/// them as they were.
std::vector<Port> rejoin(State& state, Port& bond);

}  // namespace bond_members

/// How the port agrees on a speed with the other end (LINKMODES of net/ethtool/linkmodes.c).
struct LinkModes {
    bool autoneg = false;
    /// Forced values; of a negotiating port, what all offered modes have in common.
    std::optional<std::uint32_t> speed{};  ///< Mb/s
    std::optional<std::uint32_t> lanes{};
    std::string duplex{};  ///< full or half; empty: none in common
    Flags offered{};       ///< every link mode of the port, and whether it is offered
    /// FEC modes the port supports, as words of link.fec; empty: not reported.
    std::set<std::string> fec{};
    bool can_negotiate = false;
    bool operator==(const LinkModes&) const = default;
};

namespace link_modes {

/// The writes in order. While a port forces a speed its offer cannot be set, so a change of the
/// offer goes first.
std::vector<LinkModes> edits(const Driver& driver, const LinkModes& now, const LinkModes& then);

}  // namespace link_modes

/// A link mode's name, parsed: 100000baseCR4/Full is 100000 Mb/s over four lanes (link_mode_names
/// and link_mode_params in net/ethtool/common.c).
struct LinkMode {
    std::uint32_t speed = 0;  ///< Mb/s
    std::uint32_t lanes = 1;
    bool full = true;
    bool operator==(const LinkMode&) const = default;
};

/// Nothing for names that are no speed (Autoneg, Pause, FIBRE, RS).
std::optional<LinkMode> link_mode(std::string_view name);

/// What all offered modes have in common; nothing where they differ, or none is offered.
struct CommonMode {
    std::optional<std::uint32_t> speed{};
    std::optional<std::uint32_t> lanes{};
    std::string duplex{};
    bool operator==(const CommonMode&) const = default;
};
CommonMode common_mode(const Flags& offered);

/// The modes to offer for the change: those named; else those offered now, if they have the stated
/// values in common; else all that match the stated values, as the kernel does
/// (ethnl_auto_linkmodes in net/ethtool/linkmodes.c).
Flags modes_to_offer(const LinkModes& now, const LinkModes& then);

/// Forward error correction, as words of link.fec.
struct Fec {
    static constexpr std::string_view automatic = "auto";
    std::string mode{};    ///< requested; empty: more than one
    std::string active{};  ///< in use; empty: not reported
    bool operator==(const Fec&) const = default;
};

namespace speed {

/// The link's speed in Mb/s; nothing where it was not read or there is no link (0, or SPEED_UNKNOWN
/// of include/uapi/linux/ethtool.h).
std::optional<std::uint32_t> known(const Port& port);

}  // namespace speed

/// The device's own report on its link.
struct LinkState {
    std::string reason{};                   ///< why there is no link; empty where not reported
    std::string detail{};                   ///< a more detailed reason
    std::optional<std::uint32_t> losses{};  ///< how often the device itself lost the link
    bool operator==(const LinkState&) const = default;
};

namespace link_state {

/// Words for ETHTOOL_LINK_EXT_STATE_* and, if any, its substate (include/uapi/linux/ethtool.h).
std::string reason_word(unsigned state);
std::string detail_word(unsigned state, unsigned substate);

}  // namespace link_state

/// A module's reading compared with the thresholds that its vendor set.
enum class Level : std::uint8_t {
    normal,
    low_warning,
    high_warning,
    low_alarm,
    high_alarm,
    raised,  ///< a signal that is present, such as a fault; not a threshold
};

/// A reading or signal of a module or one of its lanes.
struct ModuleReading {
    std::string what{};             ///< `rx_power`, `rx_los`
    std::uint8_t lane = 0;          ///< from 1; 0: the whole module
    std::string value{};            ///< `-2.31 dBm`; empty for a signal
    Level level = Level::normal;    ///< at present
    Level latched = Level::normal;  ///< what happened since anybody last read it
    bool operator==(const ModuleReading&) const = default;
};

/// The module or cable in the port's cage.
struct Transceiver {
    std::string type{};  ///< `QSFP28`
    std::string vendor{};
    std::string part{};
    std::vector<ModuleReading> readings{};
    bool operator==(const Transceiver&) const = default;
};

namespace transceiver {

/// `low_alarm`, as a state spells it.
std::string_view word(Level level);
Level level_of(std::string_view word);

/// `rx_power lane 2`: the reading's identity.
std::string name_of(const ModuleReading& reading);

}  // namespace transceiver

/// The driver's counters by its own names, without those per queue. core/drivers/counters.cpp has
/// their meaning.
using Statistics = std::map<std::string, std::uint64_t, std::less<>>;

struct Pause {
    bool rx = false;
    bool tx = false;
    bool autoneg = false;
    bool operator==(const Pause&) const = default;
};

/// The Device Control register of the port's PCI Express function (PCI Express Base Specification
/// 7.5.3.4; include/uapi/linux/pci_regs.h).
struct Pcie {
    std::uint32_t read_request = 0;  ///< Max_Read_Request_Size, bytes
    std::uint32_t payload = 0;       ///< Max_Payload_Size, bytes
    bool relaxed_ordering = false;
    bool operator==(const Pcie&) const = default;
};

/// The PCI Express link, IOMMU and NUMA node of the port's function, from sysfs (Documentation/
/// ABI/testing/sysfs-bus-pci, sysfs-kernel-iommu_groups).
struct PcieLink {
    std::string speed;        ///< 32.0 GT/s PCIe
    std::uint32_t width = 0;  ///< lanes
    std::string max_speed;    ///< what the device supports
    std::uint32_t max_width = 0;
    std::string iommu;                         ///< identity, DMA, DMA-FQ; off without an IOMMU
    std::optional<std::uint32_t> numa_node{};  ///< nothing where the firmware names none
    bool operator==(const PcieLink&) const = default;
};

/// A PCI Express function on the path from the port to the processor, from sysfs
/// (Documentation/ABI/testing/sysfs-bus-pci, sysfs-bus-pci-devices-aer_stats).
struct PcieHop {
    std::string pci{};
    std::uint32_t hops = 0;  ///< distance from the port's own function, which is 0
    std::string speed{};     ///< per lane of its link towards the port: 32.0 GT/s PCIe
    std::uint32_t width = 0;
    std::string max_speed{};
    std::uint32_t max_width = 0;
    /// AER errors that it received or detected since boot; nothing where they are not counted.
    std::optional<std::uint64_t> correctable{};
    std::optional<std::uint64_t> nonfatal{};
    std::optional<std::uint64_t> fatal{};
    bool operator==(const PcieHop&) const = default;
};

/// Starts at the port's own function.
using PciePath = std::vector<PcieHop>;

/// A devlink health reporter: watches part of the port's device (devlink-health(8)).
struct Reporter {
    std::string name{};
    bool healthy = true;
    std::uint64_t errors = 0;     ///< since the driver was loaded
    std::uint64_t recovered = 0;  ///< how many of the errors were recovered from
    bool operator==(const Reporter&) const = default;
};

using Reporters = std::vector<Reporter>;

/// devlink reloads of the port's device since its driver was loaded, by the kernel's word for the
/// action (devlink-dev(8)): `driver_reinit`, `fw_activate`; with the prefix `remote` those for
/// another function or host of the same card.
using Reloads = std::map<std::string, std::uint64_t>;

namespace reloads {

inline constexpr std::string_view kRemote = "remote ";

}  // namespace reloads

/// devlink's versions of the device's components, prefixed `fixed`, `running` or `stored`: `running
/// fw.version`.
using Versions = std::map<std::string, std::string, std::less<>>;

namespace versions {

inline constexpr std::string_view kFixed = "fixed ";
inline constexpr std::string_view kRunning = "running ";
inline constexpr std::string_view kStored = "stored ";

}  // namespace versions

/// Whether PCI bridges between the port and memory redirect peer-to-peer traffic to the root by
/// Access Control Services (PCI Express Base Specification 7.7.11).
struct Acs {
    bool redirects = false;           ///< at least one bridge does
    std::set<std::string> bridges{};  ///< PCI addresses of those bridges
    bool operator==(const Acs&) const = default;
};

/// The port's message-signalled interrupts.
struct Interrupts {
    Cpus local{};                         ///< CPUs of the device's NUMA node
    std::map<unsigned, Cpus> affinity{};  ///< per interrupt: the CPUs that may handle it
    std::map<unsigned, Cpus> hints{};     ///< per interrupt: the CPUs that the driver asks for
    bool operator==(const Interrupts&) const = default;
};

}  // namespace core

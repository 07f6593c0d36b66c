// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace core {

struct Device {
    std::string driver;
    std::string firmware;
    bool operator==(const Device&) const = default;
};

struct Link {
    std::uint32_t index = 0;
    std::string mac{};
    std::string pci{};     ///< PCI address of the parent device, empty where there is none
    std::string kind{};    ///< rtnetlink kind (vlan, veth, bond), empty for a physical port
    std::string master{};  ///< the bond or bridge above
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

/// What makes a port the VLAN child of another one.
struct Vlan {
    std::string parent{};  ///< empty: the port is none, or is not there
    std::uint16_t id = 0;
    std::map<std::uint32_t, std::uint8_t> egress{};   ///< PCP of each packet priority, 0 left out
    std::map<std::uint8_t, std::uint32_t> ingress{};  ///< packet priority of each PCP, 0 left out
    bool operator==(const Vlan&) const = default;
};

struct Pause {
    bool rx = false;
    bool tx = false;
    bool autoneg = false;
    bool operator==(const Pause&) const = default;
};

/// What a device names and can turn on and off.
using Flags = std::map<std::string, bool, std::less<>>;

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

/// Forward error correction, as words of link.fec.
struct Fec {
    static constexpr std::string_view automatic = "auto";
    std::string mode{};    ///< asked for; empty: more than one
    std::string active{};  ///< in use; empty: the driver does not tell
    bool operator==(const Fec&) const = default;
};

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

}  // namespace core

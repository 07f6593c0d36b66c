// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace core {

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

}  // namespace core

namespace core::vf {

/// The number of a virtual function as a profile names it; nothing where the text is none.
std::optional<std::uint32_t> parse_function(std::string_view name);
/// Whether the kernel takes all virtual functions away for the change, to make others.
bool starts_anew(const VirtualFunctions& now, const VirtualFunctions& then);

}  // namespace core::vf

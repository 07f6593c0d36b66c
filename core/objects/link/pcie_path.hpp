// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace core {

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

}  // namespace core

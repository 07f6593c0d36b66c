// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace core {

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

}  // namespace core

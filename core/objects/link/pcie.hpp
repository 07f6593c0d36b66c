// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace core {

/// What the Device Control register of the port's PCI Express function holds (PCI Express Base
/// Specification 7.5.3.4; include/uapi/linux/pci_regs.h).
struct Pcie {
    std::uint32_t read_request = 0;  ///< Max_Read_Request_Size, bytes
    std::uint32_t payload = 0;       ///< Max_Payload_Size, bytes
    bool relaxed_ordering = false;
    bool operator==(const Pcie&) const = default;
};

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace core {

/// rdma_cm's configfs directory of a device: default_roce_mode and default_roce_tos can be
/// read only inside it (Documentation/ABI/testing/configfs-rdma_cm).
struct CmDefaults {
    std::string mode;  ///< "RoCE v2" or "IB/RoCE v1"
    std::uint8_t tos = 0;
    bool operator==(const CmDefaults&) const = default;
};

}  // namespace core

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

struct Driver;
struct Host;
struct Port;

}  // namespace core

namespace core::cm_defaults {

/// Whether the kernel's own RDMA driver of the port takes the whole ToS for the DSCP, and packets
/// leave with another one (Driver::cm_defaults, shifts_since), unless that was fixed in it.
bool takes_tos_for_dscp(const Driver& driver, const Host& host, const Port& port);

}  // namespace core::cm_defaults

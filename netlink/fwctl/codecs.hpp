// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace core {
struct Port;
}

namespace netlink {

class Machine;

/// The requests of fwctl's device (include/uapi/fwctl/fwctl.h FWCTL_INFO and FWCTL_RPC, _IO of type
/// 0x9A; since Linux 6.15), which headers of older kernels lack.
inline constexpr std::uint32_t kFwctlInfo = 0x9a00;
inline constexpr std::uint32_t kFwctlRpc = 0x9a01;

/// Asks the firmware of the port's NIC by the fwctl device that its PCI device has, with read-only
/// scope; EOPNOTSUPP where it has none. A port that is on no device has nothing.
void read_fwctl(Machine& machine, core::Port& port);

}  // namespace netlink

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "netlink/transport/machine.hpp"

namespace netlink {

/// Whether ib_uverbs is in the kernel, which has a class of its own for as long (uverbs_main.c
/// ib_uverbs_init, Linux 6.1 to 7.3). Up to 6.12 every RDMA driver takes it along; since 7.3
/// rdma_rxe, mlx5_ib, bnxt_re and irdma come without. Asking a device for it, as
/// RDMA_NLDEV_CMD_GET_CHARDEV and libibverbs do, loads it (device.c ib_get_client_nl_info): who
/// only reads looks here first.
bool has_verbs();

/// rxe or siw, by what sysfs has of the device: `parent` is rxe's alone (rxe_verbs.c), and siw
/// describes its node (siw_main.c siw_device_create, siw-abi.h). Empty for other drivers.
std::string soft_type_in_sysfs(const Machine& machine, const std::string& device);

}  // namespace netlink

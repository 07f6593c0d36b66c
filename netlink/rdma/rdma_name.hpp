// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include "core/plan/kernel.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

/// Takes the device's directories in configfs along, which are made by its name; the values in them
/// are the device's and stay (cma_enum_devices_by_ibdev in drivers/infiniband/core/cma_configfs.c).
void write_rdma_name(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/kernel.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

/// rdma_cm's directory of each port's RDMA device and, where it exists, the defaults in it. They
/// are the first port's: the state knows one port a device.
void read_rdma_cm(Host& host, const core::Scope& scope, core::State& state);

/// Makes the directory, mounting configfs where need be, or removes it.
void write_cm_directory(Host& host, const core::Port& now, const core::Port& then);
/// Removes the directory of the port's device, if any: it outlives the device, and then reads
/// ENODEV for ever.
void remove_cm_directory(Host& host, const core::Port& port);
/// The same, and says whether it was there; `make_cm_directory` makes it for a device of another
/// name.
bool take_cm_directory(Host& host, const core::Port& port);
void make_cm_directory(Host& host, const core::Port& port);
void write_cm_defaults(Host& host, const core::Port& now, const core::Port& then);

}  // namespace netlink

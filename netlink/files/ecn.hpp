// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/kernel.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

/// Congestion control of each port by the first of its driver's back ends that is there; unknown
/// where the directory in which it could be read has to be made first.
void read_ecn(Machine& machine, const core::Scope& scope, core::State& state);
void write_ecn_directory(Machine& machine, const core::Port& now, const core::Port& then);
void write_ecn(Machine& machine, const core::Port& now, const core::Port& then);

/// Removes the device's directory, and says whether it was there; `make_ecn_directory` makes
/// it for a device of another name.
bool take_ecn_directory(Machine& machine, const core::Port& port);
void make_ecn_directory(Machine& machine, const core::Port& port);

}  // namespace netlink

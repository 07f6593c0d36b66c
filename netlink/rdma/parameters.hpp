// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/kernel.hpp"
#include "netlink/rdma/devlink.hpp"

namespace netlink {

/// Puts the parameter that is in an answer to DEVLINK_CMD_PARAM_GET beside the others.
void decode_parameter(Bytes payload, core::Parameters& out);

/// Fills the parameters of each port's NIC, of all in one dump.
void read_parameters(Machine& machine, const core::Scope& scope, core::State& state);

}  // namespace netlink

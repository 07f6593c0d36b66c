// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/state.hpp"
#include "core/plan/kernel.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

/// An answer to ETHTOOL_MSG_LINKSTATE_GET.
core::LinkState decode_link_state(Bytes payload);

void read_link_state(Machine& machine, const core::Scope& scope, core::State& state);

}  // namespace netlink

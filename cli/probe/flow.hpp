// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cli/probe/client.hpp"
#include "core/probe/flow.hpp"

namespace cli {

/// Short writes in both directions over `flows` queue pairs with a flow label each: one over all of
/// them at once, then some over each that answered, in turn. Throws TimeOver, Interrupted, what the
/// control connection throws, and Error (failed).
std::vector<core::probe::FlowPath> run_flows(ProbeClient& client, unsigned flows);

}  // namespace cli

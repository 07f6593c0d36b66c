// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cli/probe/client.hpp"
#include "core/probe/flow.hpp"

namespace cli {

/// Short writes over so many queue pairs, each with a flow label of its own, both ways: first one
/// over each at once, then some over each that answered, one after the other. Throws TimeOver,
/// Interrupted, what the channel throws, and Error (failed).
std::vector<core::probe::FlowPath> run_flows(ProbeClient& client, unsigned flows);

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cli/measuring.hpp"
#include "cli/probe/path.hpp"
#include "core/model/desired.hpp"
#include "core/plan/kernel.hpp"

namespace cli {

/// Gives each path the traffic class that RoCE is meant to have on its port, and the priority: as
/// `desired_values` say, where there are some, else as the host's own settings do, where they agree
/// (core/checks/effective_intent.hpp), else DSCP 26 and no priority. A DSCP of the command line
/// comes first.
void set_traffic_classes(core::Kernel& kernel, const core::DesiredState* desired_values,
                         const Measuring& measuring, std::vector<Path>& paths);

}  // namespace cli

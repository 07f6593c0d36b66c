// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cli/measuring.hpp"
#include "cli/probe/path.hpp"
#include "core/model/desired.hpp"
#include "core/plan/kernel.hpp"

namespace cli {

/// Sets each path's traffic class and priority to those of RoCE on its port: from `desired_values`
/// if given, else from the host's own settings where they agree (core/checks/effective_intent.hpp),
/// else DSCP 26 and no priority. A DSCP of the command line overrides them.
void set_traffic_classes(core::Kernel& kernel, const core::DesiredState* desired_values,
                         const Measuring& measuring, std::vector<Path>& paths);

}  // namespace cli

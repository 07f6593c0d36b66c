// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/measuring.hpp"
#include "cli/probe/path.hpp"
#include "core/error.hpp"
#include "core/plan/kernel.hpp"
#include "core/probe/report.hpp"

namespace cli {

/// Probes each path after the other: what works, what is measured, and what was expected of it.
/// What ends one before its end stands in its report; of several paths, one that cannot be probed
/// at all takes nothing from the others. Throws Error (failed) where it is the only one.
std::vector<core::probe::PathReport> run_paths(core::Kernel& kernel, std::vector<Path>& paths,
                                               const Measuring& measuring,
                                               const std::string& secret,
                                               const std::function<bool()>& stopped);

/// An end of a path, for the report.
core::probe::End end_of(const Rail& rail);

/// Whether all works, and all that was expected is met.
bool is_well(const core::probe::PathReport& report);

/// done where all is well, failed where nothing is wrong and something that was asked for could not
/// be read, else differs.
core::Status status_of(const std::vector<core::probe::PathReport>& reports);

}  // namespace cli
